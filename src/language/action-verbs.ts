/** Verbs that everyday errands begin with, in their base form. A phrase that begins with one is a thing to do. */
const VERBS =
  'accept activate address adjust adopt air announce answer apologize apply approve arrange ask assemble assign attach attend ' +
  'back bake balance bathe be bleach block book borrow brainstorm bring brush budget build burn buy calculate call cancel cash ' +
  'catch celebrate change charge chase check choose chop claim clean clear climb close coach collect come compare complete ' +
  'compose confirm congratulate connect contact contribute convert cook copy correct count cover create cut cycle dance deal ' +
  'debug decide declutter decorate defrost deliver deploy deposit descale design develop discuss donate download draft draw dress ' +
  'drink drive drop dry dust eat edit email empty enrol enroll enter evaluate exchange exercise explain export extend ' +
  'feed fetch figure file fill finalize finalise find finish fit fix fly fold follow format forward freeze gather get gift ' +
  'give go grab greet grill groom grow hand hang harvest have hem hire host hoover hug hunt implement import improve inform ' +
  'inspect install insure interview invest investigate invite iron issue jog join juggle keep knit label launch learn leave ' +
  'lend let lift light listen load lock log look lubricate mail make manage mark match measure meditate meet mend merge ' +
  'message migrate mop move mow negotiate notify nominate note oil open order organise organize outline pack paint park patch pay phone ' +
  'photograph pick pitch plan plant play plug polish post pot practice practise pray prep prepare present press print process ' +
  'promote proofread protect prune pull pump purchase push put query question rake read rearrange rebook rebuild recharge ' +
  'recheck record recycle redeem refactor refill refund refuse register rehearse reinstall release relocate remember remind remove renew ' +
  'rent repair repaint replace reply report request resched reschedule research reserve reset resign resolve respond restart restock ' +
  'retrieve return review revise rewrite ride ring rinse rotate rsvp run sand save scan schedule scrub seal search see sell ' +
  'send separate service set settle sew shampoo share sharpen shave shine ship shop shovel show shower shred sign sing sit ski sleep ' +
  'solve sort speak spend split spray stain stamp start steam stick stock stop store stretch study submit subscribe sue sweep ' +
  'swim switch sync take talk teach tell test text thank thaw throw tidy tie top touch trace track trade train transfer ' +
  'translate transplant travel treat trim try tune turn tutor type unblock unclog uninstall unpack unsubscribe update upgrade ' +
  'upload use vaccinate vacuum validate varnish verify view visit volunteer vote wake walk wash watch water wax weed weigh ' +
  'whatsapp winterize wipe work worm wrap write zip invoice restring swap redirect prune telephone ' +
  'dismantle alter soak marinate roast boil peel grate whisk knead reheat sow mulch compost dig clip shear rerun ' +
  'draft recalibrate rewire regrout reglaze reorder restitch resend retake reapply redo audit chase circulate clarify collate ' +
  'confirm consult coordinate countersign dispatch escalate fax finalise fumigate grease laminate liaise ' +
  'modify nudge offload onboard oversee rebrand reconcile recruit reduce refund renegotiate sanitise ' +
  'service shortlist sketch sponsor staple sterilise supervise tally tow transcribe tweak unload unplug untangle walk waterproof weld';

const ACTION_VERBS: ReadonlySet<string> = new Set(VERBS.split(' '));
const PARTICLES: ReadonlySet<string> = new Set(
  'up out off down back in over away on through around together'.split(' '),
);

export function isActionVerb(word: string): boolean {
  return ACTION_VERBS.has(word.toLowerCase());
}

/** True if a text begins like an errand: "call mum", "pick up the kids". */
export function startsWithVerb(text: string): boolean {
  const [first = '', second] = text.trim().split(/\s+/);
  return second !== undefined && isActionVerb(first.replace(/[^\p{L}'-]/gu, ''));
}

/** The words of an errand without its verb and the verb's particles: "pick up the kids" → "the kids". */
export function withoutVerb(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (words.length < 2 || !isActionVerb(first)) return words;
  const rest = words.slice(PARTICLES.has(second) && words.length > 2 ? 2 : 1);
  return rest.length > 1 && PARTICLES.has(rest.at(-1) ?? '') ? rest.slice(0, -1) : rest;
}
