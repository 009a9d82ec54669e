import { entities } from '../entities/entities.ts'
import {
  countedListNames,
  editableLists,
  type ListName,
  type Tables,
  worldLists,
} from '../tables.ts'
import { formatVersion } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import type { LoadedWorld } from './load-world.ts'

/** Exports a world as JSON, as a copy. Loading it gives the same world. */
export function exportWorld(loaded: LoadedWorld): WorldJson {
  const { tables } = loaded
  const lists = worldLists.map((list) => {
    const rows = exportRows(tables, list)
    // Annotations are flat, and already copied by exportRows.
    return [list, list === 'annotations' ? rows : structuredClone(rows)]
  })
  return { ...worldHeader(loaded), ...Object.fromEntries(lists) }
}

/** Exports a world as JSON text, with a line for each row. */
export function exportWorldText(loaded: LoadedWorld): string {
  const lists = worldLists.map((list) => {
    const rows = exportRows(loaded.tables, list).map((row) => `\n${JSON.stringify(row)}`)
    return `,\n"${list}":[${rows.join(',')}]`
  })
  const header = JSON.stringify(worldHeader(loaded)).slice(0, -1)
  return `${header}${lists.join('')}}\n`
}

function worldHeader({ tables, seed, now }: LoadedWorld): WorldJson {
  return {
    format_version: formatVersion,
    ...(now === undefined ? {} : { now }),
    seed,
    next_ids: Object.fromEntries(countedListNames.map((list) => [list, tables[list].nextId])),
  }
}

function exportRows(tables: Tables, list: ListName): (object | null)[] {
  return Array.from<object, object | null>(tables[list].values(), (row) => toRowJson(list, row))
}

export type ExportedRow = Readonly<Record<string, unknown>>

/** Converts a row to the world format, keys included. Returns null for no row. */
export function toRowJson(list: ListName, row: object | undefined): ExportedRow | null {
  if (row === undefined) return null
  return computedFields[list].reduce<ExportedRow>((json, name) => {
    const { [name]: _, ...others } = json
    return others
  }, row as ExportedRow)
}

export function isInFiles(list: ListName, name: string): boolean {
  return !computedFields[list].includes(name)
}

/** The fields of each list that world files do not have. */
const computedFields = Object.fromEntries(
  worldLists.map((list) => [
    list,
    entities[list].stored.filter(({ inFiles }) => inFiles === 'never').map(({ name }) => name),
  ]),
) as unknown as Readonly<Record<ListName, readonly string[]>>

export function countRows(tables: Tables): Record<string, number> {
  return Object.fromEntries(editableLists.map((list) => [list, tables[list].size]))
}
