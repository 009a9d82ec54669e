import * as z from 'zod'
import { isObject } from '../../utils/json.ts'
import type { AnnotationRow } from '../rows.ts'
import { rowSchemas } from '../schema/world-schema.ts'
import { copyAnnotation } from '../table/tables.ts'
import type { WorldJson } from '../world-json.ts'
import { isComplete, lacksOrganization } from './complete-rows.ts'
import { toAnnotationJson } from './export-world.ts'

const areAnnotations = (rows: readonly unknown[]): boolean =>
  z.array(rowSchemas().annotations).safeParse(rows).success

/**
 * Checks rows as soon as they are parsed, for `loadWorldInSteps`. Valid annotations become table rows whose organization
 * is not known yet: the parsed rows are then freed at once, and a large world never takes the memory of both.
 */
export function checkRows(list: string, rows: readonly unknown[]): readonly unknown[] {
  if (list !== 'annotations' || !areAnnotations(rows)) return rows
  const annotations = rows as Omit<AnnotationRow, 'organization'>[]
  return annotations.every(isComplete) ? annotations.map(copyAnnotation) : rows
}

/** Turns a row of `checkRows` back into the row of the file. Other rows stay. */
export function toParsedRow<Row>(row: Row): Row {
  return isObject(row) && lacksOrganization(row) ? (toAnnotationJson(row) as Row) : row
}

/** The same for all rows of a world. */
export function toParsedWorld(world: WorldJson): WorldJson {
  const { annotations } = world
  return Array.isArray(annotations)
    ? { ...world, annotations: annotations.map(toParsedRow) }
    : world
}
