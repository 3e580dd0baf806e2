import type { DataQuery } from '../../../schema/data-query.ts';
import { editedBy, plainFragment } from './fragments.ts';
import { canonical, editOf, meaningsOf } from './meaning.ts';
import { createParts } from './parts.ts';
import { createPhrases, type Phrase } from './phrases.ts';
import { plainWords } from './plain-words.ts';
import { plainSentence } from './sentences.ts';
import { fillForm, readForm, toForm } from './verified-forms.ts';
import { type View, Vocabulary } from './vocabulary.ts';

export interface PlainQuestion {
  text: string;
  query: DataQuery;
  /** The query of the last turn, if the question changes it. */
  base?: DataQuery | undefined;
}

/** Tells whether a question is plain English whose only meaning is the query that is to answer it. */
export interface PlainEnglish {
  isMeant(question: PlainQuestion): boolean;
}

const MAX_WORDS = 40;

/**
 * A second reader of questions, for a small part of English in which nothing needs to be guessed. It shares no code with
 * the reader whose query it confirms: it knows the names of the models, the forms of plain questions and the verified
 * questions of the space files, and nothing else. A word that it does not know makes the question another one.
 */
export function createPlainEnglish(views: readonly View[]): PlainEnglish {
  const vocabulary = new Vocabulary(views);
  const forms = views.flatMap(({ model }) => model.verified.map(({ ask, query }) => toForm(ask, query)));
  const today = views.map(({ facts }) => facts.today).toSorted();
  return {
    isMeant({ text, query, base }) {
      const words = plainWords(text);
      if (words.length === 0 || words.length > MAX_WORDS) return false;
      const phrases = createPhrases(words, vocabulary, today.at(-1) ?? '');
      const parts = createParts(phrases);
      const piecesOf = (phrase: Phrase) =>
        phrase(0)
          .filter(({ next }) => next === words.length)
          .map(({ value }) => value);
      const meanings = base
        ? piecesOf(plainFragment(phrases, parts)).flatMap((pieces) =>
            views.flatMap((view) => editedBy(pieces, base, editOf(pieces, base, view)) ?? []).map(canonical),
          )
        : [
            ...piecesOf(plainSentence(phrases, parts)).flatMap((pieces) => meaningsOf(pieces, views)),
            ...forms.flatMap((form) =>
              piecesOf(readForm(form, phrases))
                .flatMap((pieces) => fillForm(form, pieces) ?? [])
                .map(canonical),
            ),
          ];
      const said = [canonical(query), canonical({ ...query, limit: 'some' })];
      return new Set(meanings).size === 1 && said.some((one) => meanings.includes(one));
    },
  };
}
