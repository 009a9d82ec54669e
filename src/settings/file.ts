import * as z from 'zod'
import { type Issue, issuesError, schemaIssues, type UsageError } from '../utils/errors.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { resolveSettings, type SettingOverrides } from './resolve.ts'
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
 * Parses a setting file.
 *
 * @param name the file, for the message
 * @returns its settings, for the option `settings` of `createSimulator`
 * @throws UsageError with every issue
 */
export function parseSettingFile(text: string, name: string): SettingOverrides {
  const file = parseJsonText(text, name)
  const issues = [...schemaIssues(fileSchema, file), ...valueIssues(file)]
  if (issues.length) throw issuesError(`${name} is not a valid setting file.`, issues)
  return (file as SettingFile).settings
}

function valueIssues(file: unknown): Issue[] {
  const { settings } = (file ?? {}) as { settings?: unknown }
  if (typeof settings !== 'object' || settings === null) return []
  return Object.entries(settings).flatMap(([id, value]) => {
    try {
      resolveSettings('documented', { [id]: value })
      return []
    } catch (error) {
      return { path: ['settings', id], text: (error as UsageError).reason }
    }
  })
}
