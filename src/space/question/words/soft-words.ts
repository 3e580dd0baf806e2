/**
 * Words that mostly add nothing to a question, but may in a sentence that nobody thought of: "booked", "actually". They
 * are read over, and a question that has one is never answered with high confidence.
 */
export const SOFT_PHRASES = [
  // Things without a name.
  'something|anything at all|at any time|somewhere|anywhere|someone|anyone|anybody|somebody',
  'case|cases|instance|instances|occurrence|occurrences|event|events|occasion|occasions|entry|entries|record|records',
  // Verbs of keeping books.
  'recorded|record|booked|book|logged|log|registered for|reported|report|noted|tracked|seen|measured|counted|count up',
  'come up|comes up|came up|show up|shows up|showed up|turn up|turned up|turns up|crop up|pop up|end up|ended up',
  'result in|resulted in|go into|went into|gone into|there is of|lie|lies|lying|sit|sits|sitting|exist|exists|existed',
  'sort out|work out|worked out|figure out|find out|pull|pull up|run|calculate|compute|determine|check|look up|look at',
  'looking at|look into|i need|we need to know|need to know|i want|i would like|would like|want to know|i want to know',
  'i am looking for|looking for|let me know|let me see|remind me|curious|i am curious|interested in|for me|for us|help me',
  'have since|has since|had since|use|uses|find|can i find|could you put|can you put|please put|belong to|belongs to',
  'counting|in our assortment|in the assortment|in our catalog|in the catalog|in our catalogue|in the catalogue',
  'in our range|in the range|one line each|one row each|assortment|catalog|catalogue',
  // Adverbs.
  'completely|entirely|fully|totally|actually|really|basically|about how|specifically|in particular|particularly|simply|quite',
  'then|already|yet|anyway|in fact|of course|as a whole|in detail|to be exact',
  // Adjectives that name no part.
  'whole|entire|whole of|entirety|realised|realized|given|particular',
  'base|separately|one by one|respective|corresponding|associated|relevant|period|the period|time period|period of|timeframe',
  'the span|the course of|in the course of|over the course of|throughout',
  // Sources.
  'that based on|is that based on|is this based on|they based on|overview|overview of|tied up|tied up in|calendar|for the year|calendar days|according to|based on|going by|as per|on the basis of|from the data|in the system|in our system|on file|on our books',
  'in our books|in the records|on the system|recorded in|data|numbers for|numbers on|stats|stats on|stats for|statistics',
  'across all|across all of|across all our|across all the|over all|over all the|over all our|across the board',
  // Sizes.
  'how high|how big|how large|how low|how small|size of|the size of|level of|the level of|amount of|the amount of',
  'volume of|the volume of|extent of',
  // Joining words.
  'but|while|whereas|though|although|however|yet also|that were|that was|that are|which were|which are|which was',
  'i e|e g|ie|eg|namely|that means|meaning|meant|defined as|in other words|so to speak|rank|ranking|ranking of|rank the',
].join('|');
