import type { DataQuery } from '../../../schema/data-query.ts';
import { editedBy, plainFragment } from './fragments.ts';
import { canonical, editOf, expanded, meaningIn } from './meaning.ts';
import { createParts } from './parts.ts';
import { createPhrases, type Phrase } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { plainWords } from './plain-words.ts';
import { plainSentence } from './sentences.ts';
import { fillForm, readForm, toForm } from './verified-forms.ts';
import { type View, Vocabulary } from './vocabulary.ts';

interface PlainQuestion {
  text: string;
  /** The queries that are to answer it, each in its space. */
  parts: readonly { space: string; query: DataQuery }[];
  /** The query of the last turn, if the question changes it. */
  base?: DataQuery | undefined;
}

/** Confirms that a question is plain English and means nothing but the query that is to answer it. */
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
    isMeant({ text, parts, base }) {
      const words = plainWords(text);
      if (words.length === 0 || words.length > MAX_WORDS) return false;
      const phrases = createPhrases(words, vocabulary, today.at(-1) ?? '');
      const piecesOf = (phrase: Phrase) =>
        phrase(0)
          .filter(({ next }) => next === words.length)
          .map(({ value }) => value);
      const [first, ...more] = parts.flatMap(({ space, query }) => {
        const view = views.find(({ model }) => model.space === space);
        return view ? [{ view, query }] : [];
      });
      if (!first || more.length + 1 < parts.length) return false;
      const shared = createParts(phrases);
      if (more.length > 0) return !base && areMeant(piecesOf(plainSentence(phrases, shared)), [first, ...more]);
      const queries = base
        ? piecesOf(plainFragment(phrases, shared)).flatMap((pieces) =>
            views.flatMap((view) => editedBy(pieces, base, editOf(pieces, base, view)) ?? []),
          )
        : [
            ...piecesOf(plainSentence(phrases, shared)).flatMap((pieces) => {
              return views.flatMap((view) => toQuery(pieces, view));
            }),
            ...forms.flatMap((form) =>
              piecesOf(readForm(form, phrases)).flatMap((pieces) => fillForm(form, pieces) ?? []),
            ),
          ];
      return isOnly(
        queries.map((query) => canonical(expanded(query, first.view.model))),
        first,
      );
    },
  };
}

type Meaning = Parameters<typeof canonical>[0];

function toQuery(pieces: readonly Piece[], view: View): Meaning[] {
  const query = meaningIn(pieces, view);
  return query ? [expanded(query, view.model)] : [];
}

function isOnly(meanings: readonly string[], { view, query }: { view: View; query: DataQuery }): boolean {
  const own = expanded(query, view.model);
  const said = [canonical(own), canonical({ ...own, limit: 'some' })];
  return new Set(meanings).size === 1 && said.some((one) => meanings.includes(one));
}

/** Several figures of several spaces: each space answers the question with its own figures alone. */
function areMeant(ways: readonly Piece[][], parts: readonly { view: View; query: DataQuery }[]): boolean {
  return parts.every(({ view, query }) => {
    const own = ways.flatMap((pieces) => {
      const isOwn = (piece: Piece) => piece.is !== 'figure' || meaningIn([piece], view) !== undefined;
      const others = pieces.filter((piece) => !isOwn(piece));
      const isShared = others.some((piece) => !parts.some((part) => meaningIn([piece], part.view) !== undefined));
      return isShared || others.length === 0 ? [] : toQuery(pieces.filter(isOwn), view);
    });
    return isOnly(own.map(canonical), { view, query });
  });
}
