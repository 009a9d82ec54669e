import { policies } from '../../../src/policies/policies.ts'

/** Writes the settings that each policy allows. A page that answers requests must not load their descriptions. */
export function settingRangesFile(): string {
  const lines = Object.entries(policies).map(([id, { documented, live, values }]) => {
    const { minimum, maximum } = values.integer ?? {}
    const range = values.integer ? { minimum, maximum } : { values: Object.keys(values) }
    const profiles = {
      ...(documented !== Object.keys(values)[0] && { documented }),
      ...(live !== documented && { live }),
    }
    const fields = Object.entries({ ...profiles, ...range }).map(
      ([name, value]) => `${name}: ${toSource(value)}`,
    )
    return `  '${id}': { ${fields.join(', ')} },`
  })
  return [
    "import type { PolicyId } from './policies.ts'",
    '',
    '/** The settings that a policy allows: some values, or the whole numbers of a range. */',
    'export interface SettingRange {',
    '  /** By default the first value */',
    '  readonly documented?: string | number',
    '  /** By default as documented */',
    '  readonly live?: string | number',
    '  readonly values?: readonly string[]',
    '  readonly minimum?: number',
    '  readonly maximum?: number',
    '}',
    '',
    '/**',
    ' * The settings of each policy, written by `npm run docs`. A page that answers requests needs no descriptions, so it stays',
    ' * small.',
    ' */',
    '// biome-ignore format: a line for each policy',
    'export const settingRanges: Readonly<Record<PolicyId, SettingRange>> = {',
    ...lines,
    '}',
    '',
    'export const policyIds: readonly PolicyId[] = Object.keys(settingRanges) as PolicyId[]',
    '',
  ].join('\n')
}

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSource).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
