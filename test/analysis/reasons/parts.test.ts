import { expect, test } from 'vitest'
import type { ResponseReasons } from '../../../src/analysis/reasons/response-reasons.ts'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/lanes/client.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const live = { profile: 'live' } as const
const broken = { raw: '{', headers: { 'content-type': 'application/json' } }

type Case = readonly [title: string, method: string, path: string, sent?: RequestOptions]

const cases: readonly (Case | [...Case, SimulatorOptions])[] = [
  ['a page', 'GET', `${annotationsPath}?limit=1`],
  ['the last page', 'GET', `${annotationsPath}?offset=5`],
  ['an empty page', 'GET', `${annotationsPath}?search=unknown`, { key: 'phx_annotation_read' }],
  ['a row with null', 'GET', `${annotationsPath}4/`],
  ['a plugin', 'GET', `${plugins}21/`, { key: 'phx_plugin_read' }],
  ['projects', 'GET', '/api/projects/'],
  ['no body', 'DELETE', `${plugins}23/`],
  ['HEAD', 'HEAD', annotationsPath],
  ['a new row', 'POST', annotationsPath, { body: { content: 'x', scop: 1 } }],
  ['a new plugin', 'POST', plugins, { body: { name: 'x', url: 'https://a.test' } }, live],
  ['a list of ids', 'GET', `${plugins}unused/`, { key: 'phx_old' }, live],
  ['OPTIONS', 'OPTIONS', '/api/projects/'],
  ['no key', 'GET', annotationsPath, { key: null }, live],
  ['a missing scope', 'GET', annotationsPath, { key: 'phx_none' }],
  ['no such method', 'DELETE', '/api/projects/'],
  ['no deletion', 'DELETE', `${annotationsPath}1/`],
  ['a missing row', 'GET', `${annotationsPath}99/`],
  ['an unknown path', 'GET', '/api/unknown/', {}, live],
  ['a wrong field', 'POST', annotationsPath, { body: { scope: 'team' } }],
  ['malformed JSON', 'POST', annotationsPath, broken],
  ['a list as body', 'POST', annotationsPath, { body: ['x'] }],
  [
    'a list of errors',
    'GET',
    annotationsPath,
    { key: null },
    { policies: { 'errors.body': 'list' } },
  ],
  [
    'an empty error',
    'GET',
    annotationsPath,
    { key: null },
    { policies: { 'errors.body': 'empty' } },
  ],
]

const effects: readonly (readonly [request: string, effect: object])[] = [
  ['GET ', { status: 503, body: { id: 1 }, headers: { 'x-a': '1', allow: 'GET' } }],
  ['GET ', { error: 'throttled' }],
  ['GET ', { drop: true }],
  ['GET ', { cut_bytes: 1 }],
  ['GET 4/', { variant: 'extra_field' }],
  ['POST ', { status: 204 }],
  ['GET 4/', { variant: 'empty_page' }],
  ['GET 4/', { variant: { kind: 'null', field: 'content' } }],
  ['GET ?limit=1', { variant: 'empty_page' }],
  ['GET ?limit=1', { variant: 'long_text' }],
  ['GET ?limit=1', { variant: { kind: 'null', field: 'created_by' } }],
  ['GET 99/', { variant: 'null' }],
]

/** The rules of the parts of a response: names with the same rule in one line. */
function outline(title: string, reasons: ResponseReasons): string {
  const { status, decided_by, policies, fields, headers, request_fields } = reasons
  const list = (side: string, rules: ResponseReasons['fields']) => {
    const groups = new Map<string, string[]>()
    for (const [name, { id }] of Object.entries(rules)) {
      const last = name.split('.').at(-1)
      // Most fields have a line of their own, such as annotation.scope.
      const group = id.endsWith(`.${last}`) ? id.replace(/[^.]+$/, '*') : id
      groups.set(group, [...(groups.get(group) ?? []), name])
    }
    return [...groups].map(([group, names]) => `  ${side} ${group}: ${names.join(' ')}`)
  }
  return [
    `${title}: ${status} ${decided_by.id}`,
    `  policies: ${policies.map(({ id, setting }) => `${id}=${setting}`).join(' ')}`,
    ...list('fields', fields),
    ...list('headers', headers),
    ...list('request', request_fields),
  ].join('\n')
}

test('the rule of each part of responses of every kind', async () => {
  const paragraphs: string[] = []
  for (const [title, method, path, sent = {}, options = {}] of cases) {
    const simulator = createSimulator({ clock: noon, ...options })
    await simulator.fetch(path, initOf(method, sent))
    paragraphs.push(outline(title, await simulator.explain(1)))
  }

  await expect(`${paragraphs.join('\n\n')}\n`).toMatchFileSnapshot('./parts.outline.txt')
})

test('the rule of each part of responses that a fault changed', async () => {
  const paragraphs: string[] = []
  for (const [request, effect] of effects) {
    const [method = '', path = ''] = request.split(' ')
    const simulator = createSimulator({ clock: noon })
    simulator.faults.add({ effect })
    await simulator.fetch(annotationsPath + path, initOf(method, {})).catch(() => {})
    paragraphs.push(outline(`${request} ${JSON.stringify(effect)}`, await simulator.explain(1)))
  }

  await expect(`${paragraphs.join('\n\n')}\n`).toMatchFileSnapshot('./faults.outline.txt')
})
