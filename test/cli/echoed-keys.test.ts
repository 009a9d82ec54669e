import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveWithDefect } from '../support/cli/checked-server.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { writeScenarioFile } from '../support/scenarios/scenario-files.ts'

/** A server whose refusals repeat the header with the key. */
const serveWithEcho = () =>
  serveWithDefect(({ url = '', headers }, response) => {
    const isMissing = url.includes('/annotations/99/')
    const detail = `No row for ${headers.authorization}`
    if (isMissing) response.writeHead(404).end(JSON.stringify({ detail, token: 'of-the-server' }))
    return isMissing
  })

const story = [
  {
    as: 'all',
    method: 'GET',
    path: '/api/projects/1/annotations/99/',
    expect: { status: 404, body: { detail: 'Not found.', token: 'other' } },
  },
] as const

test.each(['.json', '.html', '.xml'])(
  'replay masks a key that the server repeats, also in a %s report',
  async (ending) => {
    const { flags } = await serveWithEcho()
    const out = join(temporaryFolder(), `report${ending}`)

    const { code, stdout, stderr } = await run([
      ...['replay', writeScenarioFile(story), ...flags],
      ...['--report', out],
    ])

    const written = readFileSync(out, 'utf8')
    expect(code).toBe(1)
    expect(stdout).toContain('No row for Bearer phx_…')
    expect(written).toContain('phx_…')
    expect(stdout + stderr + written).not.toMatch(/phx_eve|of-the-server/)
  },
)
