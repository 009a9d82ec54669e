import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { readDocument } from '../support/repository/readme.ts'

/**
 * What a reader would act on. `checked-sentences.txt` has the name of a document, below it the beginnings of its sentences, and
 * below each of these what shows that it is true:
 *
 * - `POST a/ {"content": "x"}; live GET p/unused/ @old → 200 text`: requests to one simulator, the status of the last one, and a
 *   part of its response. `a/` is the list of annotations, `p/` that of plugins, `@old` the label of a key, `@` none
 * - `fault {"effect": {"drop": true}}; GET a/ → 0`: a fault before them; no response is 0
 * - `DELETE a/1/ → rule swallowed-delete`: the mistakes that they show, or `rule none`
 * - `$ validate odd → 0 text`: a command, its exit code, and a part of its output
 * - `js EXPRESSION`: what is true of a simulator `s`. `S(options)` creates one
 */
const checks: { document: string; sentence: string; check: string }[] = []
let [document, sentence] = ['', '']
for (const line of readDocument('test/repository/checked-sentences.txt').split('\n').slice(3)) {
  if (line.startsWith('    ')) checks.push({ document, sentence, check: line.trim() })
  else if (line.startsWith('  ')) sentence = line.trim()
  else document = line
}

test.each(checks)('$document: $sentence: $check', async ({ document, sentence, check }) => {
  expect(readDocument(document).replace(/\s+/g, ' ')).toContain(sentence)

  if (check.startsWith('js ')) {
    const body = `return (async () => (${check.slice(3)}))()`
    expect(await new Function('s', 'S', body)(createSimulator(), createSimulator)).toBe(true)
    return
  }
  const [sent = '', wanted = ''] = check.split(' → ')
  const [status = '', ...words] = wanted.split(' ')
  if (sent.startsWith('$ ')) {
    const { code, stdout, stderr } = await run(sent.slice(2).split(' '))
    expectAnswer(`${code} ${stdout}${stderr}`, wanted)
    return
  }
  const simulator = createSimulator({ profile: /\blive /.test(sent) ? 'live' : 'documented' })
  let answer = ''
  for (const step of sent.replaceAll('live ', '').split('; ')) answer = await play(simulator, step)
  const rules = simulator.journal.mistakes().map(({ rule }) => rule)
  if (status === 'rule') expect(rules.join() || 'none').toBe(words.join(' '))
  else expectAnswer(answer, wanted)
})

/** Adds a fault, or sends a request. Returns the status, the body, the reason and what was ignored. */
async function play(simulator: Simulator, step: string): Promise<string> {
  const [, method = '', target = '', label, body = ''] =
    /^(\w+)(?: ([^\s{]\S*))?(?: @(\S*))?(?: (.*))?$/.exec(step) ?? []
  if (method === 'fault') {
    simulator.faults.add(JSON.parse(body))
    return ''
  }
  const lists: Readonly<Record<string, string>> = { 'a/': annotationsPath, 'p/': pluginsPath }
  const path = target.replace(/^[ap]\//, (list) => lists[list] ?? list)
  const key = simulator.keys.list().find((row) => row.label === (label ?? 'all'))?.value ?? label
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body && { body }) }
  const text = await simulator
    .fetch(path, init)
    .then(async (response) => `${response.status} ${await response.text()}`)
    .catch(() => '0')
  const { reason, ignored } = simulator.journal.find().at(-1) ?? {}
  return `${text} ${reason ?? ''} ${ignored ?? ''}`
}

/** @param wanted a status or an exit code, and a part of the rest */
function expectAnswer(answer: string, wanted: string): void {
  const [status = '', ...words] = wanted.split(' ')
  expect(answer.split(' ')[0]).toBe(status)
  expect(answer).toContain(words.join(' '))
}
