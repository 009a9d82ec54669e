import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Scenario } from '../../src/index.ts'
import { startProcess, waitForExit } from '../support/cli/process.ts'
import { temporaryFolder } from '../support/files.ts'

const list = 'https://api.example.com/api/projects/1/annotations/'
const page = '{"count":0,"next":null,"previous":null,"results":[]}'
const mebibyte = 1024 ** 2

/** Prints on stderr how many KiB the process took at most. */
const watching = `--import=data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`

test('an archive of 500 MB is read in pieces; one that ends early is refused, and nothing is written', async () => {
  const folder = temporaryFolder()
  const file = `${folder}/traffic.har`
  // Each third entry is a request to the API, and the others are pictures.
  const length = writeArchive(file, 500_000_000, (index) =>
    index % 3 === 0
      ? entry(list, JSON.stringify(page))
      : entry(`https://cdn.example.com/${index}.png`, `"${'QUJD'.repeat(50_000)}"`),
  )

  const whole = await importInProcess(file, `${folder}/story.json`)
  truncateSync(file, 499_000_000)
  const early = await importInProcess(file, `${folder}/early.json`)

  const requests = Math.ceil(length / 3)
  const { steps }: Scenario = JSON.parse(readFileSync(`${folder}/story.json`, 'utf8'))
  expect([whole.code, steps.length]).toEqual([0, requests])
  expect(whole.stdout).toBe(
    `${folder}/story.json: ${requests} requests to https://api.example.com; left out: ${length - requests} to other URLs.\n`,
  )
  expect(Number(whole.stderr)).toBeLessThan((400 * mebibyte) / 1024)
  expect([early.code, early.stdout]).toEqual([2, ''])
  expect(early.stderr).toMatch(
    /^\S+ is not a complete HAR archive: it ends after log\.entries\[\d+\]\. Export it again\.\n/,
  )
  expect(readdirSync(folder).sort()).toEqual(['story.json', 'traffic.har'])
}, 300_000)

test('a text that no string can hold is named by the entry before it, and nothing is written', async () => {
  const folder = temporaryFolder()
  const file = `${folder}/traffic.har`
  const handle = openSync(file, 'w')
  writeSync(handle, `{"log":{"version":"1.2","entries":[${entry(list, JSON.stringify(page))},`)
  const [before, after] = entry('https://cdn.example.com/film.mp4', '"MARK"').split('MARK')
  writeSync(handle, before as string)
  const part = 'QUJD'.repeat(mebibyte / 4)
  for (let index = 0; index < 520; index++) writeSync(handle, part)
  writeSync(handle, `${after}]}}`)
  closeSync(handle)

  const { code, stdout, stderr } = await importInProcess(file, `${folder}/story.json`)

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^\S+ has a text of more than 512 MiB, after log\.entries\[0\]\. Leave it out of the archive\.\n/,
  )
  expect(readdirSync(folder)).toEqual(['traffic.har'])
}, 300_000)

function importInProcess(file: string, out: string): ReturnType<typeof waitForExit> {
  return waitForExit(startProcess(['import', file, '--out', out], { NODE_OPTIONS: watching }))
}

/** Writes entries until the archive has as many bytes. Returns their number. */
function writeArchive(file: string, size: number, entryAt: (index: number) => string): number {
  const handle = openSync(file, 'w')
  let bytes = writeSync(handle, '{"log":{"version":"1.2","entries":[')
  let count = 0
  for (; bytes < size; count++) {
    bytes += writeSync(handle, `${count === 0 ? '' : ','}\n${entryAt(count)}`)
  }
  writeSync(handle, ']}}')
  closeSync(handle)
  return count
}

/** @param text the body as a JSON string */
function entry(url: string, text: string): string {
  return `{"startedDateTime":"2024-06-15T12:00:00.000Z","time":2,"request":{"method":"GET","url":"${url}","headers":[]},"response":{"status":200,"headers":[{"name":"content-type","value":"application/json"}],"content":{"text":${text}}}}`
}
