import type { AnnotationRow, RepositoryRow } from '../rows.ts'
import type { ListName } from '../table/lists.ts'
import { getNextIds, worldLists } from '../table/lists.ts'
import type { Tables } from '../table/tables.ts'
import { formatVersion } from '../world-format.ts'
import type { AnnotationJson, RepositoryJson, WorldJson } from '../world-json.ts'
import type { LoadedWorld } from './build-world.ts'

/** A world as JSON, all of it copied: loading it gives the same world. Rows stand by ascending id. */
export function exportWorld(loaded: LoadedWorld): WorldJson {
  const { tables } = loaded
  const lists = worldLists.map((list) => {
    const rows = [...exportRows(tables, list)]
    // Flat: taking an annotation apart was a copy, and the quickest one.
    return [list, list === 'annotations' ? rows : structuredClone(rows)]
  })
  return { ...worldHeader(loaded), ...Object.fromEntries(lists) }
}

/** In characters. Writing that much as JSON takes less than a millisecond. */
const CHUNK_SIZE = 65_536

/**
 * The same as JSON text in pieces, a row on each line, so that a large world can be written without keeping
 * requests waiting. Writes made while reading do show: give it a fork.
 */
export function* exportWorldText(loaded: LoadedWorld): Generator<string> {
  let piece = JSON.stringify(worldHeader(loaded)).slice(0, -1)
  for (const list of worldLists) {
    piece += `,\n"${list}":[`
    let mark = '\n'
    for (const row of exportRows(loaded.tables, list)) {
      piece += mark + JSON.stringify(row)
      mark = ',\n'
      if (piece.length < CHUNK_SIZE) continue
      yield piece
      piece = ''
    }
    piece += ']'
  }
  yield `${piece}}\n`
}

function worldHeader({ tables, seed, now, issued }: LoadedWorld): WorldJson {
  return {
    format_version: formatVersion,
    ...(now === undefined ? {} : { now }),
    seed,
    next_ids: getNextIds(tables),
    ...(issued ? { issued_keys: issued } : {}),
  }
}

function* exportRows(tables: Tables, list: ListName): Generator<object> {
  if (list === 'repository') {
    for (const row of tables.repository.values()) yield toRepositoryJson(row)
  } else if (list === 'annotations') {
    for (const row of tables.annotations.values()) yield toAnnotationJson(row)
  } else yield* tables[list].values()
}

function toAnnotationJson({ organization: _, ...row }: AnnotationRow): AnnotationJson {
  return row
}

/** A catalogue entry as a world file has it. */
export function toRepositoryJson({ id: _, extra, ...entry }: RepositoryRow): RepositoryJson {
  return { ...entry, ...extra }
}
