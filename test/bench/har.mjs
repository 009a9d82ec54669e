// Import of HAR archives: the memory for one of 100 MiB, and time and memory for 10,000 requests.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { atMost, line, one } from './measure.mjs'

const mebibyte = 1024 ** 2
const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))
/** Tells on stderr what the process took. */
const watching = `data:text/javascript,process.on('exit',()=>console.error(JSON.stringify(process.resourceUsage())))`

export async function har() {
  console.log('\nImport of a HAR archive, peak resident memory of the process')
  const size = 100 * mebibyte
  const timesFile = ({ bytes }) => one(bytes / size)
  const [ofBrowser, ofLists] = [3, 1].map((every) => imported((file) => write(file, every, size)))
  const requests = await journalOf(10_000)
  const many = imported((file) => writeFileSync(file, JSON.stringify(requests)))
  const mib = ({ bytes }) => one(bytes / mebibyte)
  return [
    line('a browser: every third entry a list', timesFile(ofBrowser), '× the file', atMost(3)),
    line('nothing but lists of 100 rows', timesFile(ofLists), '× the file', atMost(3)),
    line('10,000 requests of a client', mib(many), 'MiB', atMost(400, ' MiB')),
    line('10,000 requests of a client, CPU time', one(many.cpu), 's'),
    line('10,000 requests of a client, time', one(many.seconds), 's', atMost(5, ' s')),
  ].every(Boolean)
}

/** Imports an archive in a process of its own. Gives its peak memory in bytes, and its times in seconds. */
function imported(write) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  try {
    const [file, out] = [join(folder, 'large.har'), join(folder, 'large.json')]
    write(file)
    const flags = ['--import', watching, bin, 'import', file, '--out', out]
    const shell = `"$0" "$@" 2>&1 >/dev/null | tail -n 1`
    const start = performance.now()
    const told = execFileSync('sh', ['-c', shell, process.execPath, ...flags], { encoding: 'utf8' })
    const seconds = (performance.now() - start) / 1000
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(told)
    return { bytes: maxRSS * 1024, seconds, cpu: (userCPUTime + systemCPUTime) / 1e6 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The archive of a client that reads, searches, writes, is refused and loses responses. */
async function journalOf(count) {
  const simulator = createSimulator({
    journal: { entries: count, bytes: 1024 * mebibyte, body: mebibyte },
  })
  simulator.faults.add({
    operation: 'createAnnotation',
    when: { every: 20 },
    effect: { drop: true },
  })
  const list = '/api/projects/1/annotations/'
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const send = (path, method = 'GET', body = undefined) =>
    simulator
      .fetch(path, { method, headers, body: JSON.stringify(body) })
      .then((response) => response.text())
      .catch(() => {})
  for (let index = 0; index < count / 10; index++) {
    await send(`${list}?limit=10&offset=${index % 50}`)
    await send(list, 'POST', { content: `Launch ${index}` })
    for (const id of [1, 2, 3, 9 + (index % 100)]) await send(`${list}${id}/`)
    await send(`${list}${9 + (index % 50)}/`, 'PATCH', { content: `Launch ${index} moved` })
    await send(`${list}?search=${index}`)
    await send(list, 'POST', { content: 'x'.repeat(500) })
    await send(`${list}999999/`)
  }
  return simulator.journal.toHar()
}

/** Writes an archive in which each third entry, say, is a list, and all others are pictures. */
function write(file, every, size) {
  const handle = openSync(file, 'w')
  let bytes = writeSync(
    handle,
    '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[',
  )
  for (let index = 0; bytes < size; index++) {
    const text = JSON.stringify(index % every === 0 ? list(index) : picture(index), null, 2)
    bytes += writeSync(handle, `${index === 0 ? '' : ','}\n${text}`)
  }
  writeSync(handle, ']}}')
  closeSync(handle)
}

function list(index) {
  const results = Array.from({ length: 100 }, (_, row) => ({
    id: 1_000_000 - index * 100 - row,
    content: `Launch ${index} ${row}`,
    date_marker: '2024-06-15T12:00:00Z',
    creation_type: 'USR',
    created_by: {
      id: 1,
      uuid: '018f2b6e-0000-7000-8000-000000000001',
      first_name: 'Ada',
      email: 'ada@example.com',
    },
    created_at: '2024-06-15T12:00:00Z',
    updated_at: '2024-06-15T12:00:00Z',
    deleted: false,
    scope: 'project',
  }))
  const text = JSON.stringify({ count: 1_000_000, next: null, previous: null, results })
  return entry(index, `http://127.0.0.1:4010/api/projects/1/annotations/?offset=${index * 100}`, {
    text,
  })
}

function picture(index) {
  return entry(index, `http://127.0.0.1:5173/${index}.png`, {
    text: 'QUJD'.repeat(50_000),
    encoding: 'base64',
  })
}

function entry(index, url, content) {
  const headers = [{ name: 'authorization', value: 'Bearer phx_all' }]
  return {
    startedDateTime: new Date(1_720_000_000_000 + index * 100).toISOString(),
    time: 1,
    request: { method: 'GET', url, headers },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content,
    },
  }
}
