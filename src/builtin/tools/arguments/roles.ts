import type { ArgumentProfile } from './argument-profile.ts';

/** Links that lead to the value of an argument with such a name: `restaurant` and "from Luigi's". The first are surer. */
const LINKS: readonly [role: RegExp, links: readonly string[]][] = [
  [/\b(?:recipient|receiver|payee|assignee|owner|to)\b/, ['to', 'for']],
  [/\b(?:contact|person|who|whom)\b/, ['to', 'with', 'for']],
  [/\b(?:sender|from)\b/, ['from']],
  [/\b(?:origin|source|start|pickup|departure|base)\b/, ['from']],
  [/\b(?:pickup)\b/, ['at']],
  [/\b(?:destination|target|dropoff|arrival)\b/, ['to', 'into', 'onto', 'for', 'in']],
  [/\b(?:folder|directory|collection)\b/, ['into', 'to', 'in', 'from']],
  [
    /\b(?:restaurant|shop|store|supermarket|pharmacy|cinema|theater|theatre|hotel|stop|station)\b/,
    ['from', 'at', 'in'],
  ],
  [
    /\b(?:place|location|venue|where|branch|address|site|room|zone|area|building|office)\b/,
    ['in', 'at', 'near', 'from'],
  ],
  [/\b(?:label|purpose|occasion)\b/, ['for']],
  [/\b(?:company|employer|organi[sz]ation)\b/, ['at', 'from', 'for', 'of']],
  [/\b(?:reason|cause)\b/, ['because of', 'because', 'due to', 'as']],
  [/\b(?:topic|subject|theme|about)\b/, ['about', 'regarding', 'on']],
  [/\b(?:author|artist|singer|band|composer|director|writer|creator|brand|manufacturer)\b/, ['by', 'from']],
  [/\b(?:game|sport|instrument)\b/, ['playing', 'in']],
  [/\bvalue\b/, ['to', 'as']],
  [/\bproject\b/, ['in', 'on', 'for', 'of']],
  [
    /\b(?:playlist|team|channel|queue|calendar|group|board|list|section|category|column|lane)\b/,
    ['to', 'in', 'into', 'on', 'from'],
  ],
  [/\b(?:device|speaker|screen|display|tv|printer|machine)\b/, ['on', 'to', 'with']],
  [/\b(?:attendee|attendees|participant|participants|guest|guests|with)\b/, ['with']],
  [
    /\b(?:recipe|dish|food|meal|course|subject|medicine|drug|product|item|event|film|movie|show|book|thing|service|task|exercise|plant|animal|breed)\b/,
    ['for', 'of'],
  ],
  [/\b(?:near|nearby|beside)\b/, ['close to', 'next to', 'near', 'beside', 'by']],
  [/\b(?:spot|position|corner)\b/, ['by', 'at', 'in', 'near', 'next to']],
  [/\b(?:channel|network)\b/, ['on', 'to']],
  [/\b(?:notebook|album|shelf|drawer)\b/, ['in', 'into', 'to', 'from']],
  [/\b(?:course|subject|language|class)\b/, ['in']],
  [/\b(?:service|app|application|server|deployment|system|component|pod|job)\b/, ['of', 'for', 'from', 'on', 'in']],
  [/\b(?:pet|animal|patient|pupil|student|child|member|guest|customer|client|employee)\b/, ['for', 'of']],
  [/\b(?:event|meeting|class|course)\b/, ['to']],
  [
    /\b(?:teacher|doctor|trainer|host|tutor|guide|stylist|barber|dentist|therapist|coach|driver)\b/,
    ['with', 'to', 'by'],
  ],
  [/\b(?:note|memo|reference)\b/, ['for']],
  [/\b(?:activity|work|purpose)\b/, ['for', 'on']],
  [/\b(?:inscription|engraving|caption|writing)\b/, ['that says', 'saying', 'reading']],
  [/\b(?:opponent|opposing|against|rival)\b/, ['against', 'versus', 'with']],
  [/\b(?:note|comment|message|text|content|body)\b/, ['saying', 'that says', 'that']],
];

/** The links that suit an argument, by its name; the surest first. */
export function linksOf({ words }: ArgumentProfile): string[] {
  const name = words.join(' ');
  return [...new Set(LINKS.flatMap(([role, links]) => (role.test(name) ? links : [])))];
}
