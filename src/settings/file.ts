import * as z from 'zod'
import { issuesError, issuesWithin } from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { schemaIssues } from '../utils/schema-issues.ts'
import { type SettingOverrides, settingIssues } from './resolve.ts'
import { type SettingId, settingIds } from './setting.ts'

/** The settings of a server, as `understudy-api compare` writes them. */
interface SettingFile {
  /** The values that were found */
  readonly settings: SettingOverrides
  /** Why the other settings have none, in a sentence for each id */
  readonly open?: { readonly [Id in SettingId]?: string }
}

const fileSchema = z.strictObject({
  settings: z.record(z.string(), z.unknown()),
  open: z.record(z.string(), z.string()).optional(),
})

/** Formats a setting file. Its settings are in the order of the table, so that two files can be compared. */
export function formatSettingFile({ settings, open }: SettingFile): string {
  const sort = (entries: object): object =>
    Object.fromEntries(
      settingIds.flatMap((id) => (id in entries ? [[id, entries[id as keyof object]]] : [])),
    )
  return `${JSON.stringify({ settings: sort(settings), ...(open && { open: sort(open) }) }, null, 2)}\n`
}

/**
 * Checks the content of a setting file.
 *
 * @param name the file, for the message
 * @returns its settings, for the option `settings` of `createSimulator`
 * @throws UsageError with up to 100 issues
 */
export function parseSettingFile(file: unknown, name: string): SettingOverrides {
  const { settings } = Object(file) as { settings?: unknown }
  const ofValues = isObject(settings) ? issuesWithin(['settings'], settingIssues(settings)) : []
  const issues = [...schemaIssues(fileSchema, file), ...ofValues]
  if (issues.length) throw issuesError(`${name} is not a valid setting file.`, issues)
  return (file as SettingFile).settings
}
