import { expect, test } from 'vitest'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { mistakesIn, otherClient, type Sent } from './entries.ts'

const annotation = { path: `${annotationsPath}1/` }
const change = { list: 'annotations', id: 1, kind: 'changed' } as const
const hide: Sent = {
  ...{ ...annotation, method: 'PATCH', operation: 'updateAnnotation', sent: { deleted: true } },
  changes: [{ ...change, fields: { deleted: [false, true] } }],
}
const edit: Sent = { ...hide, sent: { content: 'New' }, changes: [{ ...change, fields: {} }] }
const hideAndEdit: Sent = { ...edit, sent: { deleted: true, content: 'New' } }
const restore: Sent = {
  ...{ ...hide, sent: { deleted: false } },
  changes: [{ ...change, fields: { deleted: [true, false] } }],
}
const missing: Sent = { ...annotation, operation: 'retrieveAnnotation', status: 404 }
const remove: Sent = {
  ...{ method: 'DELETE', operation: 'deletePlugin', status: 204 },
  path: `/api/organizations/${acme}/plugins/7/`,
  changes: [{ list: 'plugins', id: 7, kind: 'removed', fields: {} }],
}
const removed: Sent = { ...remove, status: 404, changes: [] }
const upgrade: Sent = {
  ...{ method: 'POST', operation: 'upgradePlugin', status: 404 },
  path: `${remove.path}upgrade/`,
}
const upload: Sent = {
  ...{ method: 'PATCH', operation: 'updatePluginSource', status: 404 },
  path: `${remove.path}update_source/`,
}
const withConfig: Sent = {
  ...remove,
  changes: [
    { list: 'plugin_configs', id: 32, kind: 'removed', fields: {} },
    { list: 'plugins', id: 7, kind: 'removed', fields: {} },
  ],
}

const uses: readonly [what: string, requests: readonly Sent[], did: string, entries: number[]][] = [
  ['changed', [hide, edit], 'PATCH for annotation 1', [1, 2]],
  ['hidden again', [hide, { ...hide, changes: [] }], '', []],
  ['hidden again, and changed', [hide, hideAndEdit], 'PATCH for annotation 1', [1, 2]],
  ['read twice, and changed', [hide, missing, missing, edit], 'PATCH for annotation 1', [1, 4]],
  ['changed by a request that is refused', [hide, { ...edit, status: 400, changes: [] }], '', []],
  ['restored, and then changed', [hide, restore, edit], '', []],
  ['changed by another client', [hide, { ...edit, ...otherClient }], '', []],
  ['changed after the response to its delete was lost', [{ ...hide, status: 0 }, edit], '', []],
  ['deleted again', [withConfig, removed], '', []],
  ['upgraded', [withConfig, upgrade], 'POST for plugin 7', [1, 2]],
  ['given a source', [remove, upload], 'PATCH for plugin 7', [1, 2]],
]

test.each(uses)('a row that its client deleted is %s', (_, requests, did, entries) => {
  const message = `The client sent ${did} after it had deleted it.`

  expect(mistakesIn('stale-row', requests)).toEqual(did ? [{ message, entries }] : [])
})
