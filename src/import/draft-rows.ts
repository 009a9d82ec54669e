import type * as z from 'zod'
import { isObject } from '../utils/json.ts'
import { mask } from '../utils/redaction/names.ts'
import { uuidFromNumber } from '../utils/seeded-random.ts'
import { entities } from '../world/entities/entities.ts'
import { type Entity, type Field, type FieldFacts, usualValue } from '../world/entities/field.ts'
import { references } from '../world/schema/row-issues.ts'
import { rowSchemas } from '../world/schema/world-schema.ts'
import { type ListName, worldLists } from '../world/tables.ts'

/** A row in the world format, which is completed while the world is built. */
export type DraftRow = Record<string, unknown>

export type DraftLists = { readonly [List in ListName]: DraftRow[] }

export function createDraftLists(): DraftLists {
  const lists = Object.keys(entities).map((list): [string, DraftRow[]] => [list, []])
  return Object.fromEntries(lists) as DraftLists
}

/** The value of a field as requests and worlds have it: of a reference, the id. */
export function writtenValue({ kind }: Pick<FieldFacts, 'kind'>, value: unknown): unknown {
  return kind === 'reference' && isObject(value) ? value.id : value
}

export function toDraft(
  list: ListName,
  shown: Readonly<Record<string, unknown>>,
  parent: DraftRow,
): DraftRow {
  const { written } = entities[list] as Entity
  const row: DraftRow = {}
  for (const field of written) {
    const { name } = field
    const value = writtenValue(field, name in parent ? parent[name] : shown[name])
    if (value !== undefined) row[name] = value
    else if (field.inFiles !== 'maybe')
      row[name] = usualValue(field) ?? (field.nullable ? null : undefined)
  }
  return row
}

/** Replaces values that no world can have, and leaves out rows that lack a required one, in place. @returns what, in sentences */
export function makeValid(lists: DraftLists): string[] {
  const changed = new Map<string, string[]>()
  const ids = new Map<string, Set<unknown>>()
  for (const list of worldLists) {
    const valid = lists[list].filter((row) => {
      const repaired = repairFields(list, row)
      removeReferences(list, row, ids)
      const isValid = rowSchemas()[list].safeParse(row).success
      const what = isValid ? repaired : [`Left out, because no world can have it: ${list}`]
      for (const name of what) {
        const rows = changed.get(name) ?? []
        rows.push(String(row.id ?? row.label))
        changed.set(name, rows)
      }
      return isValid
    })
    Object.assign(lists, { [list]: valid })
    ids.set(list, new Set(valid.map(({ id }) => id)))
  }
  return [...changed].map(([what, rows]) => `${what} ${rows.join(', ')}.`)
}

const unseen = 'the archive does not show it'

/** Replaces the values that the fields of a row cannot have. @returns which, and why */
function repairFields(list: ListName, row: DraftRow) {
  const { error } = rowSchemas()[list].safeParse(row)
  const { stored } = entities[list] as Entity
  const names = [...new Set((error?.issues ?? []).map(({ path }) => String(path[0])))]
  return names.flatMap((name) => {
    const why = row[name] === undefined ? unseen : 'no world can have it'
    const field = stored.find((stored) => stored.name === name)
    const known = field && usualValue(field)
    const usual = field && known === undefined ? madeUpValue(field, Number(row.id)) : known
    if (field?.inFiles === 'maybe') delete row[name]
    else if (usual !== undefined) row[name] = usual
    else return []
    return `Made up, because ${why}: the ${name} of ${list}`
  })
}

/** A value for a field that has no usual one. Undefined for an id, and for most references */
function madeUpValue({ kind, name }: Field, id: number): string | undefined {
  if (kind === 'email') return `user-${id}@example.com`
  if (kind === 'uuid' && name !== 'id') return uuidFromNumber(id + 1_000)
  if (kind === 'text' && name !== 'label' && name !== 'value') return ''
  if (name === 'organization') return uuidFromNumber(1)
  return kind === 'time' ? '2024-01-01T00:00:00Z' : undefined
}

/** Replaces the values that no world can have in rows of responses. Hidden ones would look like changes by others. */
export class HiddenValues {
  /** The fields that are made up, such as `email of users` */
  readonly names = new Set<string>()
  /** Values that a world can have, by their fields: rows come again and again */
  readonly #valid = new Map<Field, Set<unknown>>()
  /** What is shown of the authors whose ids are hidden: each gets a number */
  readonly #authors = new Set<string>()

  get warnings(): string[] {
    const names = [...this.names].join(', the ')
    return names === '' ? [] : [`Made up, because ${unseen}: the ${names}.`]
  }

  /** Changes a row in place. */
  fill(list: ListName, row: DraftRow): void {
    const { stored } = entities[list] as Entity
    for (const field of stored) {
      const { name, body, sent, kind } = field
      const value = row[name]
      const isAuthor = kind === 'id' && list === 'users'
      const isLeft = kind === 'id' ? !isAuthor : sent === false || !(name in row)
      if (isLeft || isObject(value)) continue
      if (body ? !mask.test(String(value)) : this.#isValid(list, field, value)) continue
      const shown = isAuthor ? JSON.stringify(row) : ''
      if (isAuthor) row[name] = [...this.#authors.add(shown)].indexOf(shown) + 1
      else if (body || kind === 'reference') delete row[name]
      else row[name] = usualValue(field) ?? madeUpValue(field, Number(row.id) || 0) ?? null
      this.names.add(`${name} of ${list}`)
    }
    if (isObject(row.created_by)) this.fill('users', row.created_by as DraftRow)
  }

  #isValid(list: ListName, field: Field, value: unknown) {
    const values = this.#valid.get(field) ?? new Set()
    if (values.has(value)) return true
    const schema = rowSchemas()[list] as unknown as { readonly shape: Record<string, z.ZodType> }
    const isValid = schema.shape[field.name]?.safeParse(value).success !== false
    if (isValid) this.#valid.set(field, values.add(value))
    return isValid
  }
}

function removeReferences(
  list: ListName,
  row: DraftRow,
  ids: ReadonlyMap<string, ReadonlySet<unknown>>,
) {
  for (const [name, target] of Object.entries(references[list] ?? {})) {
    const value = row[name]
    const isOne = typeof value === 'number' || typeof value === 'string'
    if (isOne && !ids.get(target)?.has(value)) row[name] = null
  }
}
