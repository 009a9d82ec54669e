import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import { runProcess } from '../support/cli/process.ts'
import { startRecordProcess } from '../support/cli/record.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { isLong } from '../support/long.ts'
import { archive, emptyPage, entry } from '../support/traffic.ts'

// What a client, a target or an archive sends is larger than the memory of a command: it stays alive.
// LONG=1 npm run slow -- --project slow test/cli/memory

const count = isLong ? 3_000 : 24
const requests = isLong ? 15_000 : 300
/** Gives the processes of a test so many MiB. A command needs some 60 of them. */
const limitHeaps = (mb: number) => vi.stubEnv('NODE_OPTIONS', `--max-old-space-size=${mb}`)

/** Pages of 31 and of 7 MiB, of which less than 100 bytes are sent: one is too large, and the others are so together. */
const bombs = [31, 7].map((size) =>
  brotliCompressSync(Buffer.from(emptyPage.padEnd(size * 2 ** 20))),
)
const spent = /^The bodies have more than 2\d MiB together, and the others are left out\./m

const full = /is not recorded: the recorder has no room for more\. Stop it/g
const type = { 'content-type': 'application/json' }
const page = Buffer.from(emptyPage)
const words = Array.from({ length: 100_000 }, (_, index) => `'word ${index}`)

test.each([
  ['bodies', 400, count, (sent: number) => bombs[sent % 2], '', 'br'],
  ['requests', 200, requests, () => page, 'x'.repeat(12_000), 'identity'],
  ['secrets', 500, 8, (sent: number) => `{"otp":["${words.join(`","${sent}`)}"]}`, '', 'identity'],
])(
  'record takes more %s than it has memory for, names the requests that it left out, and ends with 1',
  async (...[, heap, most, bodyOf, query, encoding]) => {
    const out = join(temporaryFolder(), 'story.json')
    const target = await startHttpServer(({ url }, response) => {
      const body = bodyOf(Number(/n=(\d+)/.exec(`${url}`)?.[1]))
      response.writeHead(200, { ...type, 'content-encoding': encoding }).end(body)
    })
    limitHeaps(heap)
    const recorder = await startRecordProcess(target, '--out', out)

    for (let sent = 0; sent < most; sent++) {
      const response = await fetch(`${recorder.url}${annotations}?n=${sent}&${query}`)
      await response.body?.cancel()
    }
    const { code, stderr } = await recorder.stop('SIGTERM')

    vi.unstubAllEnvs()
    const { steps } = JSON.parse(readFileSync(out, 'utf8'))
    // Node sends a request again if the connection was closed that it had chosen.
    const paths = new Set(steps.map(({ path }: { path: string }) => path))
    expect([code, paths.size + (stderr.match(full)?.length ?? 0) >= most]).toEqual([1, true])
  },
)

test('record keeps less of the bodies that have no end than it has memory for', async () => {
  const target = await startHttpServer((_, response) => {
    response.writeHead(200, type).write(Buffer.alloc(7 * 2 ** 20))
  })
  limitHeaps(200)
  const recorder = await startRecordProcess(target, '--out', join(temporaryFolder(), 'story.json'))

  await Promise.any([1, 2, 3].map(() => fetch(recorder.url + annotations)))
  const { code, stderr } = await recorder.stop('SIGTERM')

  vi.unstubAllEnvs()
  expect([code, full.test(stderr)]).toEqual([1, true])
})

test('import takes more bodies than it has memory for, and names those that it left out', async () => {
  const folder = temporaryFolder()
  const [har, out] = [join(folder, 'a.har'), join(folder, 'story.json')]
  const headers = [
    { name: 'content-type', value: 'application/json' },
    { name: 'content-encoding', value: 'br' },
  ]
  const entries = bombs.map((bomb) =>
    entry({
      response: { headers, content: { text: bomb.toString('base64'), encoding: 'base64' } },
    }),
  )
  const repeated = Array.from({ length: count / 2 }, () => entries)
  writeFileSync(har, archive(...repeated.flat()))

  limitHeaps(400)
  const { code, stderr } = await runProcess(['import', har, '--out', out])
  vi.unstubAllEnvs()

  expect([code, JSON.parse(readFileSync(out, 'utf8')).steps.length]).toEqual([0, count])
  expect(stderr).toMatch(spent)
  for (const size of [32_505_856, 7_340_032]) {
    expect(stderr).toContain(`out the response body of ${size} bytes, which was not recorded`)
  }
})
