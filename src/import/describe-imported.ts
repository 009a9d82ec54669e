import { formatLeftOut } from '../adapters/har/parse-entry.ts'
import type { FoundSettings } from '../fit/recorded-answers.ts'
import { formatCount } from '../utils/text.ts'
import type { ImportedFile } from './import-file.ts'
import type { PreparedTest } from './test-files.ts'

const noneFound: FoundSettings = { profile: 'documented', settings: {}, responses: {} }

/** Says how many requests a scenario has, and what was left out. Null if there is nothing to say. */
export function summarizeImported({ traffic, leftOut }: ImportedFile): string | null {
  const left = leftOut.size === 0 ? [] : [`left out: ${formatLeftOut(leftOut)}`]
  if (traffic === null) return left.length === 0 ? null : `${left[0]}.`
  const { requests, baseUrl } = traffic
  const destination = baseUrl === undefined ? '' : ` to ${baseUrl}`
  return `${[`${formatCount(requests, 'request')}${destination}`, ...left].join('; ')}.`
}

/** Says which settings the responses show, if these differ from the documentation. */
export function describeFound({ traffic }: ImportedFile): string[] {
  const { profile, settings, responses } = traffic?.found ?? noneFound
  const values = Object.entries(settings).map(([id, value]) => {
    return `${id} = ${value} (${formatCount(responses[id] ?? 0, 'response')})`
  })
  if (profile === 'documented' && values.length === 0) return []
  const list = values.length === 0 ? '' : `, with ${values.join(', ')}`
  const rest = 'What no response shows stays open: it is as in the profile.'
  return [`The responses are those of the profile ${profile}${list}. ${rest}`]
}

/** Says what a test is about, and how to run it. */
export function describeTest({ file, folder, incident, command }: PreparedTest): string[] {
  const { broken, isSure, others, title } = incident
  const failures = new Set(broken.map(({ failure }) => failure))
  return [
    broken.length === 0
      ? `${file}: passes. ${title}.`
      : `${file} fails, as the recorded client did: ${title}. Put your client in it, and make it pass.`,
    ...[...failures].slice(1).map((failure) => `Another failure: ${failure}.`),
    ...[...new Set(others.failures)].map(
      (failure) => `Another key had a failure, which the test leaves out: ${failure}.`,
    ),
    ...(isSure
      ? []
      : ['What others do comes after a read: a client that reads more or less may pass.']),
    `Run it${folder === null ? '' : ` in ${folder}`}: ${command}`,
  ]
}

/** What was made of a file, for `--json`. */
export function importedAsJson({ out, test, traffic, leftOut, warnings }: ImportedFile): object {
  const written = { out, ...(test && { test: testAsJson(test) }) }
  if (traffic === null) return written
  return {
    ...written,
    base_url: traffic.baseUrl ?? null,
    requests: traffic.requests,
    left_out: Object.fromEntries(leftOut),
    ...foundAsJson(traffic.found ?? noneFound),
    warnings,
  }
}

/** The settings that the responses show, for `--json`. */
function foundAsJson({ profile, settings, responses }: FoundSettings): object {
  const found = Object.entries(settings).map(([id, value]) => {
    return { id, value, responses: responses[id] }
  })
  return { profile, settings: found }
}

/** The facts of a test for `--json`. */
function testAsJson({ file, incident, command }: PreparedTest): object {
  const { title, broken, result } = incident
  return {
    file,
    command,
    title,
    failures: broken.map(({ failure }) => failure),
    replays: result.passed,
  }
}
