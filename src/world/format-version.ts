import { inspectValue } from '../usage-error.ts'
import { version } from '../version.ts'

/** Of the world format as this version writes it. A file without one is of the first. */
export const formatVersion = 1

/**
 * What is wrong with the format of a file, before anything else in it is read: a later one may mean
 * something else by the same words.
 */
export function formatVersionIssues(world: unknown): string[] {
  const given = (world as { format_version?: unknown } | null | undefined)?.format_version
  if (typeof given !== 'number' || !Number.isInteger(given) || given <= formatVersion) return []
  return [
    `format_version: expected at most ${formatVersion}, got ${inspectValue(given)}: a later version of understudy-api made ` +
      `this file than the one that reads it, ${version}. Update this one, or save the world anew with it.`,
  ]
}
