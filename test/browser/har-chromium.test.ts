import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Exported, exportedByChromium } from '../adapters/har/archives/export.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { root, run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { findHarIssues } from '../support/formats.ts'

withChromium(
  'HAR exports of the installed Chromium are imported like the archives in this repository',
  async () => {
    const exported = await exportedByChromium(temporaryFolder())
    const expected = await imported(
      readFileSync(`${root}test/adapters/har/archives/chromium.har`, 'utf8'),
    )

    const sanitized = await imported(exported.sanitized)
    const actual = {
      tools: await imported(exported.tools),
      // Its requests have no key, and get one with this label.
      sanitized: JSON.parse(JSON.stringify(sanitized).replaceAll('"key"', '"all"')),
      playwright: await imported(exported.playwright),
    }

    expect(actual).toEqual({ tools: expected, sanitized: expected, playwright: expected })
    expect(creators(exported)).toEqual(['WebInspector', 'WebInspector', 'Playwright'])
    expect(Object.values(exported).map((text) => findHarIssues(JSON.parse(text)))).toEqual([
      null,
      null,
      null,
    ])
    expect(exported.sanitized).not.toContain('Bearer')
  },
)

function creators(exported: Exported): string[] {
  return Object.values(exported).map((text) => JSON.parse(text).log.creator.name)
}

async function imported(text: string): Promise<unknown> {
  const folder = temporaryFolder()
  writeFileSync(`${folder}/session.har`, text)
  const out = `${folder}/session.json`
  const { code, stderr } = await run(['import', `${folder}/session.har`, '--out', out])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^(?:The list of project 1 counted 4 rows that no .*\n)?$/),
  })
  return JSON.parse(readFileSync(out, 'utf8'))
}
