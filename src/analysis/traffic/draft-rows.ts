import type { ListName } from '../../world/table/tables.ts'

/** A row in the world format, which is completed while the world is built. */
export type DraftRow = Record<string, unknown>

/** The rows of a world while it is built. */
export type DraftLists = { readonly [List in ListName]: DraftRow[] }
