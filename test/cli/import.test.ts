import { readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { createSimulator, type RequestStep, type Scenario } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { root } from '../support/root.ts'
import { archive, createExchange } from '../support/traffic.ts'
import { initOf } from '../support/transports/client.ts'

const madeUp =
  'The list of project 1 counted 4 rows that no complete response shows. The world has 4 of them, with content that is made up.\n'

const chromium = `${root}test/adapters/har/archives/chromium.har`

test('import writes a scenario of an archive of Chromium, and to stdout without --out, and nothing else', async () => {
  const out = temporaryFile('')

  const imported = await run(['import', chromium, '--out', out])
  const printed = await run(['import', chromium])
  const json = await run(['import', chromium, '--out', out, '--json'])
  const toDevice = await run(['import', chromium, '--out', devNull])

  const summary =
    '8 requests to http://127.0.0.1:38081; left out: 4 to other URLs, 4 CORS preflights.\n'
  expect(toDevice).toEqual({ code: 0, stdout: '', stderr: `${devNull}: ${summary}${madeUp}` })
  expect(imported).toEqual({ code: 0, stdout: `${out}: ${summary}`, stderr: madeUp })
  expect(printed).toEqual({
    ...{ code: 0, stdout: readFileSync(out, 'utf8'), stderr: summary + madeUp },
  })
  expect([json.stderr, JSON.parse(json.stdout).warnings]).toEqual([madeUp, [madeUp.trimEnd()]])
  const { title, steps } = scenarioIn(out)
  expect(title).toBe('Delete annotation: refused with 405, retried')
  expect(steps[1]).toMatchObject({ as: 'all', method: 'POST', body: { content: 'Launch 🦔' } })
})

test('without failures, the title names the archive; --title is another one', async () => {
  const page = { url: annotationsPath, received: { count: 0, results: [] }, bearer: 'phx_mine' }
  const file = temporaryFile(archive(createExchange(page)))

  const plain = await run(['import', file])
  const keys = ['--key', 'mine=phx_mine', '--key', 'other=phx_other', '--key', 'phx_all']
  const titled = await run(['import', file, '--title', 'A quiet day', ...keys])

  expect(JSON.parse(plain.stdout).title).toBe(`Imported from ${basename(file)}`)
  expect(JSON.parse(titled.stdout).title).toBe('A quiet day')
  const unused = ['No request has the key other of --key.', 'No request has the key of --key.']
  expect(titled.stderr.match(/.*--key.*/g)).toEqual(unused)
})

test('import prints the settings that it found, with how many responses show each', async () => {
  const settings = { 'annotations.delete.status': '404' } as const
  const service = createSimulator({ settings })
  const send = (method: string, path: string) => service.fetch(path, initOf(method, {}))
  await send('GET', annotationsPath)
  await send('DELETE', `${annotationsPath}1/`)
  await send('DELETE', `${annotationsPath}2/`)
  const file = temporaryFile(JSON.stringify(service.journal.toHar()))
  const out = temporaryFile('')

  const { stdout } = await run(['import', file, '--out', out])
  const { stdout: json } = await run(['import', file, '--out', out, '--json'])
  const printed = await run(['import', file])

  expect([scenarioIn(out), JSON.parse(printed.stdout)]).toMatchObject([{ settings }, { settings }])
  for (const text of [stdout, printed.stderr])
    expect(text).toContain(
      '\nThe responses are those of the profile documented, with annotations.delete.status = 404 (2 responses). What no response shows stays open: it is as in the profile.\n',
    )
  const found = [{ id: 'annotations.delete.status', value: '404', responses: 2 }]
  expect(JSON.parse(json)).toEqual({
    ...{ out, base_url: 'http://localhost', requests: 3, left_out: {} },
    ...{ profile: 'documented', settings: found, warnings: expect.any(Array) },
  })
})

function scenarioIn(file: string): Omit<Scenario, 'steps'> & { steps: RequestStep[] } {
  return JSON.parse(readFileSync(file, 'utf8'))
}
