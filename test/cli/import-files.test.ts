import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'
import { sessionArchive } from '../support/scenarios/har.ts'

test('archives of HAR 1.1, and those without a version, are read', async () => {
  const har = exchangesToHar([createExchange({ bearer: 'phx_all' })])
  const versions = ['1.1', '', undefined]

  const results = await Promise.all(
    versions.map((version) => {
      const log = { ...har.log, version }
      return run(['import', temporaryFile(JSON.stringify({ log }))])
    }),
  )

  expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
})

test('import without --as keeps a scenario with another content, unless --force is set', async () => {
  const out = temporaryFile(JSON.stringify({ title: 'Mine', steps: [] }))
  const file = sessionArchive('chromium')
  const before = readFileSync(out, 'utf8')

  const { code, stderr } = await run(['import', file, '--out', out])

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${out} already exists, and may have your changes. Choose another file with --out, or overwrite it with --force.\n`,
  })
  expect(readFileSync(out, 'utf8')).toBe(before)
})

test('a scenario that changed since it was imported is not overwritten, and one that did not change is', async () => {
  const folder = temporaryFolder({ 'session.har': exchangesToHar([createExchange({})]) })
  const archive = join(folder, 'session.har')
  const out = join(folder, 'session.json')
  const importAs = (runner: string, ...flags: string[]) =>
    run(['import', archive, '--as', runner, '--out', out, ...flags])

  const first = await importAs('vitest')
  const unchanged = await importAs('node')
  const written = readFileSync(out, 'utf8')
  const edited = written.replace(/"title": ".*"/, '"title": "Mine"')
  writeFileSync(out, edited)
  const refused = await importAs('pytest')
  const unforced = readFileSync(out, 'utf8')
  const files = readdirSync(folder)
  const forced = await importAs('pytest', '--force')

  expect([first.code, unchanged.code, forced.code]).toEqual([0, 0, 0])
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: `${out} already exists, and may have your changes. Name another scenario, and so its test, with --out other.json, or overwrite it with --force.\n`,
  })
  expect(unforced).toBe(edited)
  expect(files).not.toContain('test_session.py')
  expect(readFileSync(out, 'utf8')).toBe(written)
})
