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
 * A second reader of questions, for a small part of English in which nothing needs to be guessed. It shares no code
 * that reads words with the reader whose query it confirms: it knows the names of the models, the forms of plain questions and the verified
 * questions of the space files, and nothing else. A word that it does not know makes the question another one.
 */
export function createPlainEnglish(views: readonly View[]): PlainEnglish {
  const vocabulary = new Vocabulary(views);
  const forms = views.flatMap((view) =>
    view.model.verified.map(({ ask, query }) => ({ view, form: toForm(ask, query) })),
  );
  const today = views.map(({ facts }) => facts.today).toSorted();
  return {
    isMeant({ text, parts, base }) {
      const words = plainWords(text);
      if (words.length === 0 || words.length > MAX_WORDS) return false;
      const phrases = createPhrases(words, vocabulary, today.at(-1) ?? '');
      const readings = (phrase: Phrase) =>
        phrase(0)
          .filter(({ next }) => next === words.length)
          .map(({ value }) => value);
      const [first, ...more] = parts.flatMap(({ space, query }) => {
        const view = views.find(({ model }) => model.space === space);
        return view ? [{ view, query }] : [];
      });
      if (!first || more.length + 1 < parts.length) return false;
      const shared = createParts(phrases);
      if (base)
        return isOnly(
          readings(plainFragment(phrases, shared)).flatMap((pieces) => editsOf(pieces, base)),
          first,
        );
      const ways = readings(plainSentence(phrases, shared));
      if (more.length > 0) return areMeant(ways, [first, ...more], views);
      const said = ways.flatMap((pieces) => views.flatMap((view) => toMeaning(pieces, view)));
      const verified = forms.flatMap(({ form, view }) =>
        readings(readForm(form, phrases)).flatMap((pieces) => {
          const query = fillForm(form, pieces);
          return query ? [meaningText(query, view)] : [];
        }),
      );
      return isOnly([...said, ...verified], first);
    },
  };

  function editsOf(pieces: readonly Piece[], base: DataQuery): string[] {
    return views.flatMap((view) => {
      const query = editedBy(pieces, base, editOf(pieces, base, view));
      return query ? [meaningText(query, view)] : [];
    });
  }
}

type Meaning = Parameters<typeof canonical>[0];

interface Part {
  view: View;
  query: DataQuery;
}

/**
 * A query as text, with what its measures are: two spaces may have measures of one name. Tables that several spaces share
 * are the same ones.
 */
function meaningText(query: Meaning, { model }: View): string {
  const own = expanded(query, model);
  const measures = own.measures.map(({ name }) => {
    const { table, kind, expressions, where } = model.measures.get(name) ?? {};
    return [table, kind, expressions, where];
  });
  return `${canonical(own)} ${JSON.stringify(measures)}`;
}

function toMeaning(pieces: readonly Piece[], view: View): string[] {
  const query = meaningIn(pieces, view);
  return query ? [meaningText(query, view)] : [];
}

function isOnly(meanings: readonly string[], { view, query }: Part): boolean {
  const said = [meaningText(query, view), meaningText({ ...query, limit: 'some' }, view)];
  return new Set(meanings).size === 1 && said.some((one) => meanings.includes(one));
}

/** Several figures of several spaces: each space answers the question with its own figures alone. */
function areMeant(ways: readonly Piece[][], parts: readonly Part[], views: readonly View[]): boolean {
  const spacesOf = (piece: Piece) => views.filter((view) => meaningIn([piece], view) !== undefined);
  return parts.every(({ view, query }) => {
    const own = ways.flatMap((pieces) => {
      const figures = pieces.filter(({ is }) => is === 'figure');
      // Each figure belongs to exactly one of the spaces that answer.
      const isClear = figures.every((piece) => {
        const [only, ...others] = spacesOf(piece);
        return others.length === 0 && parts.some((part) => part.view === only);
      });
      const isOwn = (piece: Piece) => piece.is !== 'figure' || spacesOf(piece).includes(view);
      return isClear ? toMeaning(pieces.filter(isOwn), view) : [];
    });
    return isOnly(own, { view, query });
  });
}
