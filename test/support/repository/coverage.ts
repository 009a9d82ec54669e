import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from '../../../.tools/readme-tables.ts'
import { policies } from '../../../src/policies/policies.ts'
import { observations } from './observations.ts'

/** Collects the titles of tests by the tags of observations in them. */
export function collectTags(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.test.ts')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, , title = ''] of text.matchAll(
      /\b(test|socketTest)[\w.]*(?:\([^']*\))?\(\s*(?:'|")([^\n]*?)(?:'|"),\s/g,
    )) {
      for (const [tag] of title.matchAll(/§(?:12\.\d+|[\d.]+:[\w-]+)/g)) {
        const name = title.replace(/\s*\[§[^\]]*\]/g, '')
        found.set(tag, [...(found.get(tag) ?? []), `${file}: ${name}`])
      }
    }
  }
  return found
}

/** Lists each observation with its tests, or the reason why it is not built. */
export function coverageTable(folder: string): string {
  const tests = collectTags(folder)
  const rules = Object.entries(observations).map(([tag, entry]) => {
    const says = typeof entry === 'string' ? entry : entry.says
    const shown = tests.get(tag)?.join('<br>') ?? ''
    return [tag, says, typeof entry === 'string' ? shown : `*not built*: ${entry.notBuilt}`]
  })
  return [
    '# Observations of the live service, and their tests',
    '',
    'Generated from the tags in the titles of the tests; a test compares it.',
    '',
    markdownTable(['Tag', 'Observation', 'Tests'], rules),
    '',
    '## Rows of section 8, and contradictions of section 9',
    '',
    'Each of them is a policy. `laws/policies.test.ts` tests every value.',
    '',
    markdownTable(['Row', 'Policies'], rows()),
    '',
  ].join('\n')
}

function rows(): string[][] {
  const named = [
    ...[
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11',
      '12',
      '13',
      '13b',
      '14',
      '15',
      '16',
      '17',
      '18',
      '19',
      '20',
      '21',
    ].map((row) => ['§8', `row ${row}`] as const),
    ...['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((row) => ['§9', `.${row}`] as const),
  ]
  return named.map(([section, row]) => {
    const pattern = new RegExp(section === '§8' ? `§8 ${row}\\b` : `§9\\${row}\\b`)
    const found = Object.entries(policies).filter(([, { values }]) =>
      Object.values(values).some(({ source }) => pattern.test(source)),
    )
    return [`${section} ${row}`, found.map(([id]) => `\`${id}\``).join(', ')]
  })
}
