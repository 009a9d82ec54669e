import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { policies } from '../../src/policies/policies.ts'

const file = fileURLToPath(new URL('../../src/policies/setting-ranges.ts', import.meta.url))

// `npm run docs` writes the file first: nothing else runs with a policy that it lacks.
test('the ranges of settings are those of the policies', async () => {
  const ranges = Object.entries(policies).map(([id, { documented, live, values }]) => {
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

  await expect(`import type { PolicyId } from './policies.ts'
import type { SettingRange } from './policy.ts'

/**
 * The settings of each policy, written by \`npm run docs\`. A page that answers requests needs no descriptions, so it stays
 * small.
 */
// biome-ignore format: a line for each policy
export const settingRanges: Readonly<Record<PolicyId, SettingRange>> = {
${ranges.join('\n')}
}

export const policyIds: readonly PolicyId[] = Object.keys(settingRanges) as PolicyId[]
`).toMatchFileSnapshot(file)
})

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSource).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : String(value)
}
