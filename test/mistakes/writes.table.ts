import { acme, annotationsPath } from '../support/api/paths.ts'
import { type RuleExample, repeat, writeByAnother } from './rule-example.ts'

const firstRow = `${annotationsPath}1/`
const plugins = `/api/organizations/${acme}/plugins/`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z' }

/** Mistakes of clients that write. */
export const writeExamples: readonly RuleExample[] = [
  {
    rule: 'swallowed-delete',
    title: 'DELETE as clean-up',
    breaks: async ({ ask }) => {
      await ask('DELETE', firstRow)
      await ask('DELETE', `${annotationsPath}2/`)
      await ask('GET', '/api/projects/')
    },
    keeps: async ({ ask }) => {
      await ask('DELETE', firstRow)
      await ask('PATCH', firstRow, { body: { deleted: true } })
      await ask('DELETE', firstRow)
      await ask('DELETE', `${annotationsPath}6/`)
      await ask('DELETE', `${annotationsPath}99999/`)
      await ask('DELETE', `${annotationsPath}2/`)
      await ask('GET', `${annotationsPath}2/`)
    },
    message: 'Annotations 1, 2 were not deleted, and the client did not delete them with PATCH.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a create without a response',
    faults: [
      {
        operation: 'createAnnotation',
        phase: 'after-commit',
        when: { times: 1 },
        effect: { drop: true },
      },
    ],
    breaks: async ({ ask }) => {
      const { date_marker, content } = launch
      await ask('POST', annotationsPath, { body: launch }).catch(() => {})
      await ask('POST', annotationsPath, { body: { date_marker, content } })
    },
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: launch }).catch(() => {})
      await ask('GET', '/api/projects/@current/annotations/?search=launch', {
        key: 'phx_annotation_read',
      })
      await ask('POST', annotationsPath, { body: launch })
    },
    message:
      'The client got no complete response for a create, and sent it again. The first one had created a row, so there are two now.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a create whose response is incomplete',
    faults: [{ operation: 'createPlugin', when: { times: 1 }, effect: { cut_bytes: 9 } }],
    breaks: ({ ask }) =>
      repeat(2, () => ask('POST', plugins, { body: { name: 'x' } }).catch(() => {})),
    keeps: async ({ ask }) => {
      await ask('POST', plugins, { body: { name: 'x' } }).catch(() => {})
      await ask('GET', plugins)
      await ask('POST', plugins, { body: { name: 'x' } })
    },
    message:
      'The client got no complete response for a create, and sent it again. The first one had created a row, so there are two now.',
    entries: [1, 2],
  },
  {
    rule: 'duplicate-row',
    title: 'a click too many',
    breaks: ({ ask }) =>
      Promise.all([1, 2].map(() => ask('POST', annotationsPath, { body: launch }))),
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: launch })
      await ask('POST', annotationsPath, { body: launch })
      const three = { body: { content: 'A row for a test' } }
      await Promise.all([1, 2, 3].map(() => ask('POST', annotationsPath, three)))
    },
    message:
      'The client sent the same create twice, the second time before the first one had its response.',
    entries: [1, 2],
  },
  {
    rule: 'duplicate-row',
    title: 'times that are compared as texts',
    breaks: async ({ ask, simulator }) => {
      const body = { content: 'Launch', date_marker: '2024-06-20T09:00:00.123Z' }
      await ask('POST', annotationsPath, { body })
      await ask('GET', `${annotationsPath}?search=launch`)
      simulator.clock.advance({ seconds: 2 })
      await ask('POST', annotationsPath, { body })
    },
    keeps: async ({ ask }) => {
      const body = { content: 'Launch', date_marker: '2024-06-20T09:00:00.123Z' }
      await ask('POST', annotationsPath, { body })
      await ask('GET', `${annotationsPath}?search=launch`)
      await ask('PATCH', `${annotationsPath}9/`, { body: { deleted: true } })
      await ask('POST', annotationsPath, { body })
      await ask('POST', annotationsPath, { body: launch })
    },
    message:
      'The client sent the time 2024-06-20T09:00:00.123Z. Row 9, which it had read, has the same content and the same time: 2024-06-20T09:00:00.123000Z.',
    entries: [2, 3],
  },
  {
    rule: 'stale-row',
    title: 'a row that is edited after its delete',
    breaks: async ({ ask }) => {
      await ask('PATCH', firstRow, { body: { deleted: true } })
      await ask('PATCH', firstRow, { body: { content: 'New' } })
    },
    keeps: async ({ ask }) => {
      await ask('PATCH', firstRow, { body: { deleted: true } })
      await ask('GET', firstRow)
      await ask('PATCH', firstRow, { body: { deleted: true } })
      await ask('PATCH', firstRow, { body: { content: 'New', deleted: false } })
      await ask('PATCH', firstRow, { body: { content: 'Newer' } })
    },
    message: 'The client changed row 1 after it had deleted it.',
    entries: [1, 2],
  },
  {
    rule: 'undone-change',
    title: 'a whole row is sent back',
    breaks: async (client) => {
      writeByAnother(client, { update: { annotations: [{ id: 1, scope: 'organization' }] } })
      await client.ask('GET', annotationsPath)
      await client.ask('PATCH', firstRow, { body: { content: 'New', scope: 'dashboard_item' } })
    },
    keeps: async (client) => {
      writeByAnother(client, { update: { annotations: [{ id: 1, scope: 'organization' }] } })
      await client.ask('GET', annotationsPath)
      await client.ask('PATCH', firstRow, { body: { content: 'New' } })
    },
    message:
      'The update sets scope from "organization" to "dashboard_item", where the client had read "dashboard_item".',
    entries: [1, 2],
  },
  {
    rule: 'ignored-input',
    title: 'fields and parameters with other names',
    breaks: ({ ask }) =>
      repeat(2, () => ask('POST', annotationsPath, { body: { content: 'x', dateMarker: 'y' } })),
    keeps: ({ ask }) => ask('POST', annotationsPath, { body: { content: 'x', date_marker: null } }),
    message: 'createAnnotation ignores body.dateMarker, did you mean date_marker?',
    entries: [1, 2],
  },
  {
    rule: 'local-time',
    title: 'a local time',
    breaks: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T11:00:00.123' } })
      await ask('PATCH', firstRow, { body: { date_marker: '2024-06-20 11:00' } })
    },
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T11:00:00+02:00' } })
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T09:00Z' } })
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T09:00' }, key: null })
    },
    message: 'The client sent the date_marker 2024-06-20T11:00:00.123, without an offset from UTC.',
    entries: [1, 2],
  },
]
