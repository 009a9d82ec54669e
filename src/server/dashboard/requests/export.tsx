import type { Entry, Har } from 'har-format'
import { Download, Terminal } from 'lucide'
import { useState } from 'preact/hooks'
import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry, MaskedKey } from '../../../sandbox/journal/entry.ts'
import type { Recording } from '../../../scenarios/recording/recorder.ts'
import { quoteForShell } from '../../../utils/escape.ts'
import { formatJson } from '../../../utils/format-json.ts'
import type { KeyRow } from '../../../world/rows.ts'
import { useDashboard, withoutEmpty } from '../kit/context.ts'
import { copyText, downloadJson } from '../kit/copy.tsx'
import { Input } from '../kit/fields.tsx'
import { Form, useActionButton } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'
import { DialogButton } from '../kit/panels.tsx'

/** @param props.ids the requests to export */
export function ExportButtons({ ids }: { ids: readonly number[] }) {
  const { remote } = useDashboard()
  const action = useActionButton()
  const disabled = ids.length === 0
  const download = async () => downloadJson('understudy.har', await fetchHar(remote, ids))
  return (
    <>
      {action('Export HAR', 'Downloaded understudy.har.', download, { disabled, icon: Download })}
      <DialogButton label="Save as scenario…" title="Save as scenario" disabled={disabled}>
        {(close) => <ScenarioForm entries={ids.toSorted((a, b) => a - b)} onClose={close} />}
      </DialogButton>
    </>
  )
}

function ScenarioForm({ entries, onClose }: { entries: readonly number[]; onClose: () => void }) {
  const { remote } = useDashboard()
  const [title, setTitle] = useState('')
  const [warnings, setWarnings] = useState<Recording['warnings']>([])
  const save = async () => {
    const { scenario, warnings } = await remote.record({ entries, ...withoutEmpty({ title }) })
    const fileName = `${toFileName(scenario.title)}.json`
    downloadJson(fileName, scenario, formatJson(scenario))
    if (warnings.length === 0) onClose()
    setWarnings(warnings)
    return `Downloaded ${fileName}.`
  }
  if (warnings.length > 0) {
    return (
      <div class="fields">
        <p>Scenario saved. Not included:</p>
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </div>
    )
  }
  const exchanges =
    entries.length === 1
      ? '1 request and its response'
      : `${formatCount(entries.length, 'request')} and their responses`
  const placeholder = 'e.g. An annotation is created and deleted'
  return (
    <Form save={save}>
      <p>Creates a replayable scenario from {exchanges}. Keys and personal data are replaced.</p>
      <Input label="Title" placeholder={placeholder} value={title} onChange={setTitle} />
    </Form>
  )
}

function toFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? 'scenario' : name
}

export function CopyAsCurl({ entry }: { entry: JournalEntry }) {
  const { remote } = useDashboard()
  const action = useActionButton()
  const copy = async () => {
    const { log } = await fetchHar(remote, [entry.id], entry.at)
    const [archived] = log.entries
    if (!archived) throw new Error('This request is no longer in the journal.')
    await copyText(toCurl(entry, archived, remote.url, await remote.keys.list()))
  }
  // A page that answers its own requests has no URL for a terminal.
  if (remote.url === '') return null
  const success = 'Copied the curl command, including the API key.'
  return action('Copy as curl', success, copy, { icon: Terminal })
}

/**
 * Fetches journal entries as a HAR archive, with queries and bodies as they were sent.
 *
 * @param at the time of the entries in ISO 8601, if it is known: the server then returns fewer entries
 */
async function fetchHar(remote: Remote, ids: readonly number[], at?: string): Promise<Har> {
  const { log } = await remote.journal.toHar(at === undefined ? {} : { since: at, until: at })
  const wanted = new Set(ids.map(String))
  const entries = log.entries.filter(({ comment = '' }) =>
    wanted.has(/^entry (\d+)/.exec(comment)?.[1] ?? ''),
  )
  return { log: { ...log, entries } }
}

/** Headers that curl sends itself, or that belong to the connection. */
const omittedHeaders = [
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'user-agent',
]

/**
 * Returns a curl command that sends a request again, with the query and the body as they were sent. The journal masks
 * keys, so the full key is looked up.
 *
 * @throws Error if the journal did not store the body
 */
function toCurl(
  { method, path, key }: JournalEntry,
  { request }: Entry,
  baseUrl: string,
  keys: readonly KeyRow[],
): string {
  const { postData, url } = request
  if (postData?.comment !== undefined) {
    throw new Error(
      "Cannot copy as curl: the body exceeds the journal's size limit and was not stored.",
    )
  }
  const headers = request.headers
    .filter(({ name }) => !omittedHeaders.includes(name) && !/^(sec-|origin$|referer$)/.test(name))
    .map(({ name, value }) => `${name}: ${value}`)
  if (key !== null) headers.unshift(`authorization: Bearer ${findKeyValue(key, keys)}`)
  const [, query = ''] = /(\?.*)$/.exec(url) ?? []
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    ...headers.flatMap((header) => ['-H', quoteForShell(header)]),
    ...(postData ? ['--data-raw', quoteForShell(postData.text ?? '')] : []),
    quoteForShell(baseUrl + path + query),
  ].join(' ')
}

/** Finds the full value of a masked key by its label, or by its start and end if it has no label. */
function findKeyValue({ label, value }: MaskedKey, keys: readonly KeyRow[]): string {
  const [start = '', end = ''] = value.split('…')
  const candidates = keys.filter((key) => key.value.startsWith(start) && key.value.endsWith(end))
  const [first, second] =
    label === null ? candidates : candidates.filter((key) => key.label === label)
  return first && !second ? first.value : 'YOUR_KEY'
}
