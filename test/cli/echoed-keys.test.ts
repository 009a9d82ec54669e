import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { writeScenarioFile } from '../support/scenarios/scenario-files.ts'

const path = '/api/projects/1/annotations/99/'
const expected = { status: 404, body: { detail: 'Not found.', token: 'other' } }
const story = [{ as: 'all', method: 'GET', path, expect: expected }]

test('replay masks a key that the server repeats, also in reports', async () => {
  const url = await startHttpServer(({ headers }, response) => {
    const detail = `No row for ${headers.authorization}`
    response.writeHead(404).end(JSON.stringify({ detail, token: 'of-the-server' }))
  })
  const folder = temporaryFolder()
  const reports = ['r.json', 'r.html', 'r.xml'].map((name) => join(folder, name))

  const { code, stdout, stderr } = await run([
    ...['replay', writeScenarioFile(story), '--target', url, '--key', 'phx_eve'],
    ...reports.flatMap((file) => ['--report', file]),
  ])

  const written = reports.map((file) => readFileSync(file, 'utf8'))
  expect(code).toBe(1)
  for (const text of [stdout, ...written]) expect.soft(text).toContain('phx_…')
  expect([stdout, stderr, ...written].join('')).not.toMatch(/phx_eve|of-the-server/)
})
