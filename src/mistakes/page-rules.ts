import { type ClientRule, inDocument } from './rule.ts'

const paged = inDocument(
  'next: address of the next page; default and maximum values of limit: not shown',
)

export const repeatedRow: ClientRule = {
  id: 'repeated-row',
  sentence:
    'A row came on two pages of a list. Rows changed meanwhile, or the client computed an offset. The client did not start again at once. It is a note if the client followed `next` and changed no row on its way: it may leave out rows that it has.',
  cure: 'Leave out rows whose `id` you have, or start again with the first page if an id comes twice.',
  level: 'warning',
  ...paged,
}

export const skippedRow: ClientRule = {
  id: 'skipped-row',
  sentence:
    'A client read two pages of a list and missed a row between them. Rows changed meanwhile, or the client computed an offset, or left out `search` after the first page. The client did not start again at once, nor go back for the row. It is a note if the client changed rows on its way, and did not read the last page; or if the page between them failed, and the client never read it.',
  cure: 'Read the list again from its first page if it must be complete. An equal `count` does not prove that no row moved.',
  level: 'warning',
  ...paged,
}

export const pagesBeyondEnd: ClientRule = {
  id: 'pages-beyond-end',
  sentence:
    'A client read a page whose `next` was null, and then two or more empty pages of the same list. One is not reported: a client can read until a page is empty.',
  cure: 'Stop when `next` is null.',
  level: 'note',
  ...paged,
}

/** A client that asks for so many rows may take them for all. */
export const largeLimit = 50

export const unreadPages: ClientRule = {
  id: 'unread-pages',
  sentence: `A client read the first page of a list without \`limit\` and \`search\`, and never the last page of it; or one with a \`limit\` of ${largeLimit} or more, without \`offset\` and \`search\`, and no later page. Not reported: a list whose next page failed, and one that was read with several limits.`,
  cure: 'Follow `next` until it is null, or pass the `limit` that you mean.',
  level: 'note',
  ...inDocument('list operations are paginated; default value of limit: not shown'),
}
