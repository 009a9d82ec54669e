import type { Remote } from '../admin/connect.ts'
import { formatCurl } from '../admin/curl.ts'
import type { JournalEntry, MaskedKey } from '../simulator/journal/entry.ts'
import { formatJson } from '../utils/format-json.ts'
import type { KeyRow } from '../world/rows.ts'
import { formatTarget } from './format.ts'

/** Downloads requests and their responses as a scenario. @param ids the oldest first @returns the message to show */
export async function exportScenario(remote: Remote, ids: readonly number[]): Promise<string> {
  const { scenario, warnings } = await remote.record({ entries: ids })
  const name =
    scenario.title
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'scenario'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${formatJson(scenario)}\n`]))
  link.download = `${name}.json`
  link.click()
  URL.revokeObjectURL(link.href)
  const leftOut = warnings.length === 0 ? '' : `\nIt does not include:\n${warnings.join('\n')}`
  return `Downloaded ${name}.json, with keys and personal data replaced.${leftOut}`
}

/** Headers that a client sends itself, or that belong to the connection. */
const omittedHeaders =
  /^(accept-encoding|authorization|connection|content-length|host|origin|referer|sec-.*|transfer-encoding|user-agent)$/

/**
 * Copies code that sends a request again: a curl command, or a call of `fetch` for the page that the simulator runs in. The
 * journal masks keys, so the whole key is looked up.
 */
export async function copyRequest(
  entry: JournalEntry,
  { keys, url }: Remote,
  isInPage: boolean,
): Promise<string> {
  const { method, key, request } = entry
  const { body, omitted } = request
  if (omitted) throw new Error('The journal does not have the body: it exceeds its limit.')
  const headers = Object.entries(request.headers).filter(([name]) => !omittedHeaders.test(name))
  if (key) headers.unshift(['authorization', `Bearer ${findKey(key, await keys.list())}`])
  const text = body === null || typeof body === 'string' ? body : JSON.stringify(body)
  const target = url + formatTarget(entry)
  const code = isInPage
    ? toFetch(method, target, Object.fromEntries(headers), text)
    : formatCurl(
        method,
        target,
        headers.map((header) => header.join(': ')),
        text,
      )
  await navigator.clipboard.writeText(code)
  return `Copied the ${isInPage ? 'call of fetch' : 'curl command'}, with the key.`
}

function toFetch(method: string, url: string, headers: object, body: string | null): string {
  const init = { method, headers, ...(body !== null && { body }) }
  return `await fetch(${JSON.stringify(url)}, ${JSON.stringify(init, null, 2)})`
}

/** The value of a masked key, by its label, or by its start and end if it has none. */
function findKey({ label, value }: MaskedKey, keys: readonly KeyRow[]): string {
  const [start = '', end = ''] = value.split('…')
  const isMeant = (key: KeyRow) =>
    label === null ? key.value.startsWith(start) && key.value.endsWith(end) : key.label === label
  const [first, second] = keys.filter(isMeant)
  return first && !second ? first.value : 'YOUR_KEY'
}
