// How much memory an archive of 100 MiB takes to import: one of a browser, and one of nothing but lists of the API.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'

const size = 100 * 1024 ** 2
const bin = fileURLToPath(new URL('../../dist/understudy.cjs', import.meta.url))
/** Tells on stderr how much the process took at most. */
const watching = `data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))`

export function har() {
  console.log('\nImport of a HAR archive of 100 MiB, peak resident memory of the process')
  return [
    imported('a browser: every third entry a list', 3),
    imported('nothing but lists of 100 rows', 1),
  ].every(Boolean)
}

function imported(what, each) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  try {
    const [file, out] = [join(folder, 'large.har'), join(folder, 'large.json')]
    write(file, each)
    const flags = ['--import', watching, bin, 'import', file, '--out', out]
    const shell = `"$0" "$@" 2>&1 >/dev/null`
    const told = execFileSync('sh', ['-c', shell, process.execPath, ...flags], { encoding: 'utf8' })
    return line(what, summary([(Number(told) * 1024) / size]), '× the file', atMost(3))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function write(file, each) {
  const handle = openSync(file, 'w')
  let bytes = writeSync(
    handle,
    '{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[',
  )
  for (let index = 0; bytes < size; index++) {
    const text = JSON.stringify(index % each === 0 ? list(index) : picture(index), null, 2)
    bytes += writeSync(handle, `${index === 0 ? '' : ','}\n${text}`)
  }
  writeSync(handle, ']}}')
  closeSync(handle)
}

function list(index) {
  const results = Array.from({ length: 100 }, (_, row) => ({
    id: index * 100 + row + 1,
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
    startedDateTime: new Date(1_700_000_000_000 + index * 100).toISOString(),
    time: 1,
    request: { method: 'GET', url, headers },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content,
    },
  }
}
