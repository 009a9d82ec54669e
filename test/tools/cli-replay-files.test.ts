import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { run } from '../support/cli.ts'
import { temporaryFile } from '../support/files.ts'
import { file, list, read, story } from '../support/scenario-files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 30_000 })
afterAll(() => vi.resetConfig())

test('fixtures that are files are found by their name', async () => {
  const empty = { method: 'GET', path: '/api/projects/', expect: { status: 401 } }

  expect(await run(['replay', file([empty], { world: 'odd' })])).toMatchObject({ code: 0 })
})

test('--update accepts what was answered, and leaves the rest of the file as it is', async () => {
  const text = `{
  "title": "A story",   "world": "default",
  "steps": [
    { "as": "all", "method": "GET", "path": "${list}1/",
      "expect": { "status": 404, "body": { "id": { "$match": "id" }, "content": "Release 2.0" } } }
  ]
}
`
  const path = temporaryFile(text)

  const { code, stdout } = await run(['replay', path, '--update'])

  expect([code, stdout]).toEqual([0, expect.stringContaining('expects now what was answered.')])
  expect(readFileSync(path, 'utf8')).toBe(
    text.replace('404', '200').replace('Release 2.0', 'Release 1.0'),
  )
  expect(await run(['replay', path])).toMatchObject({ code: 0 })
})

test('files with faults end with 2 before anything runs', async () => {
  const bad = file([
    { ...read, as: 5 },
    { method: 'GET', path: '/{id}' },
  ])
  const cut = temporaryFile('{ "title": "A')
  const binary = temporaryFile('')
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))

  expect(await run(['replay', story, bad])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Failed to replay ${bad}: it has a fault. Nothing was run.\n  steps[0].as: expected string, got 5\n`,
  })
  expect(await run(['replay', cut])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Failed to read .*: expected a scenario as JSON, got a text that is none \(.*\)\. Mend the file\.\n$/,
    ),
  })
  expect(await run(['replay', binary])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Failed to read .*: expected a scenario as JSON, got 3 bytes that are no text\./,
    ),
  })
  expect(await run(['replay', 'nowhere.json'])).toMatchObject({ code: 2 })
  expect(await run(['replay', file([read], { format_version: 2 })])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('format_version: expected at most 1, got 2'),
  })
})
