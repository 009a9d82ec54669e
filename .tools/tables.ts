// The generated tables of the Markdown files, which `npm run docs` writes.
import { readFileSync } from 'node:fs'
import { operations } from '../src/admin/operations.ts'
import { CommandContext } from '../src/cli/command-context.ts'
import { commandNames, loadCommands } from '../src/cli/program.ts'
import type { Operation } from '../src/http/endpoint.ts'
import { clientRules } from '../src/mistakes/mistake-finder.ts'
import { profiles, valueIn } from '../src/settings/profiles.ts'
import { resolveSettings } from '../src/settings/resolve.ts'
import {
  choose,
  describeValue,
  isPerSetting,
  type PerSetting,
  possibleValues,
  type Setting,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../src/settings/setting.ts'
import { presets } from '../src/simulator/faults/presets.ts'
import {
  type choiceWords,
  type Entity,
  type Field,
  type FieldKind,
  usualValue,
} from '../src/world/entities/field.ts'
import type { KeyRow } from '../src/world/rows.ts'

/** A Markdown table. Pipes and line breaks in cells are escaped. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const toLine = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [toLine(columns), toLine(columns.map(() => '---')), ...rows.map(toLine)].join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** One row per endpoint. An asterisk marks a value that a setting decides; the values resolve it. */
export function endpointTable(endpoints: readonly Operation[], settings: SettingValues): string {
  const rows = endpoints.map(({ operation, summary, method, path, scope, status }) => [
    summary,
    `\`${method}\``,
    `\`${path}\``,
    resolveWithMark(scope, settings),
    resolveWithMark(status, settings),
    `\`${operation}\``,
  ])
  return markdownTable(['What it does', 'Method', 'Path', 'Scope', 'Status', 'Operation'], rows)
}

/** One row per thing that the admin API reads and changes, with its operations. */
export function adminTable(): string {
  const rows = new Map<string, string[]>()
  for (const [line, { summary }] of Object.entries(operations)) {
    const thing = line.split('/')[1] as string
    rows.set(thing, [...(rows.get(thing) ?? []), `\`${line}\`: ${summary}`])
  }
  const lines = [...rows].map(([thing, texts]) => [thing, texts.join('<br>')])
  return markdownTable(['', 'Operations, below `/__admin`'], lines)
}

function resolveWithMark(value: PerSetting<string | number>, settings: SettingValues): string {
  const text = String(choose(value, settings))
  return isPerSetting(value) && possibleValues(value).length > 1 ? `${text}*` : text
}

/** One row per rule of the client's report. */
export function clientRuleTable(): string {
  const rows = clientRules.map(({ id, level, sentence, cure, evidence }) => [
    `\`${id}\``,
    `${level} (${evidence})`,
    sentence,
    cure,
  ])
  return markdownTable(['Rule', 'Level (evidence)', 'What the client does', 'Cure'], rows)
}

/** One row per setting in which the profiles differ: its question, its values, and its value in each profile. */
export function settingTable(): string {
  const rows = settingIds.map((id) => {
    const setting = settingsById[id]
    const choices = profiles.map((profile) => describeChoice(id, valueIn(profile, setting)))
    const shown = choices.map((choice, at) => (choices.indexOf(choice) < at ? 'the same' : choice))
    return [`\`${id}\``, setting.question, describeValues(setting), ...shown]
  })
  return markdownTable(['Setting', 'Question', 'Values', ...profiles], rows)
}

function describeValues({ values }: Setting): string {
  return Object.entries(values)
    .map(([value, { meaning, minimum, maximum }]) =>
      value === 'integer' ? `${minimum} to ${maximum}: ${meaning}` : `\`${value}\`: ${meaning}`,
    )
    .join('<br>')
}

function describeChoice(id: SettingId, value: string | number): string {
  return `\`${value}\` (${describeValue(id, value).evidence})`
}

/** One row per command of the command line. */
export async function commandTable(): Promise<string> {
  const { stdout, stderr } = process
  const context = new CommandContext({ stdout, stderr, signal: new AbortController().signal })
  const rows = (await loadCommands(commandNames, context)).map((command) => [
    `\`${command.name()}\``,
    command.description(),
  ])
  return markdownTable(['Command', 'What it does'], rows)
}

/** One row per fault preset. */
export function presetTable(): string {
  const rows = Object.entries(presets).map(([name, { description }]) => [
    `\`${name}\``,
    description,
  ])
  return markdownTable(['Preset', 'What happens'], rows)
}

/** One row per API key of the world `default`. */
export function keyTable(): string {
  const rows = readJson('../fixtures/default.json').keys.map(
    ({ value, label, scopes, projects }: KeyRow) => [
      `\`${value}\``,
      `\`${label}\``,
      projects.length > 0
        ? `${describeScopes(scopes)}, only in project ${projects}`
        : `${describeScopes(scopes)}${scopes?.includes('*') ? '; in `live`, eight operations on plugins refuse it' : ''}`,
    ],
  )
  return markdownTable(['Key', 'Label', 'Access'], rows)
}

function describeScopes(scopes: readonly string[] | null): string {
  if (scopes === null) return 'full access, as a key from before scopes existed'
  if (scopes.includes('*')) return 'full access'
  return scopes.length > 0 ? scopes.join(' and ') : 'no scopes; in `live`, full access'
}

function readJson(path: string) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}

const documented = resolveSettings('documented')

const kinds: { readonly [Kind in FieldKind]?: (field: Field) => string } = {
  id: () => 'number',
  uuid: () => 'UUID',
  reference: ({ list = '' }) => `id of a ${singular(list)}`,
  flag: () => 'boolean',
  text: ({ max }) => (max === undefined ? 'text' : `text of at most ${max} characters`),
  choice: ({ body }) =>
    listValues(choose(body?.words as PerSetting<ReturnType<typeof choiceWords>>, documented)),
  time: () => 'time',
  json: () => 'JSON',
}

/**
 * One row per field of responses in the profile `documented`.
 *
 * @param texts the doc comments of the fields of rows
 */
export function fieldTable({ fields }: Entity, texts: Readonly<Record<string, string>>): string {
  const rows = Object.values<Field>(fields)
    .filter(isSent)
    .map((field) => [
      `\`${field.name}\``,
      field.body ? 'yes' : 'no',
      describeField(field),
      // In rows, an embedded object is an id.
      (Object(field.sent).embedded ? undefined : texts[field.name]) ?? '',
    ])
  return markdownTable(['Field', 'Writable', 'Values', 'Meaning'], rows)
}

function isSent({ sent = {} }: Field): boolean {
  return sent !== false && (sent.when?.includes(documented['annotations.fields']) ?? true)
}

function describeField(field: Field): string {
  const { from, embedded } = field.sent || {}
  const value = usualValue(field)
  const values = embedded ? describeObject(embedded) : kinds[field.kind]?.(field)
  const source = from ? `, from the ${from.reference.replace('_', ' ')}` : ''
  const orNull = canBeNull(field) ? ', or null' : ''
  const usual = value === undefined || value === null ? '' : `; by default \`${toText(value)}\``
  return `${values}${source}${orNull}${usual}`
}

function canBeNull({ nullable, body }: Field): boolean {
  const { null: setting } = body ?? {}
  if (setting === undefined || setting === 'always')
    return nullable === true || setting === 'always'
  return documented[setting] === 'accepted'
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describeObject({ fields }: Pick<Entity, 'fields'>): string {
  const names = Object.values(fields).filter(isSent)
  return `object with ${names.map(({ name }) => `\`${name}\``).join(', ')}`
}

function listValues(values: ReturnType<typeof choiceWords>): string {
  return values === 'any' ? 'text' : values.map((value) => `\`${value || '""'}\``).join(', ')
}

function singular(list: string): string {
  return list.replace(/s$/, '').replace('_', ' ')
}
