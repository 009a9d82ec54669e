/** The shape of a row: texts, a time, a value without a documented type, and two objects, one of which can be null. */
export const rowShape = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    content: { type: ['string', 'null'] },
    at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    scope: { type: 'string', enum: ['project'] },
    config: {},
    owner: { type: 'object', properties: { first_name: { type: 'string' } } },
    creator: {
      anyOf: [{ type: 'null' }, { type: 'object', properties: { name: { type: 'string' } } }],
    },
  },
}

export const listShape = { type: 'array', items: rowShape }

export const pageShape = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    next: { type: ['string', 'null'] },
    results: listShape,
  },
}

export const row = {
  id: 1,
  content: 'Launch',
  at: '2024-06-15T12:00:00.123456Z',
  scope: 'project',
  config: { name: 'x' },
  owner: { first_name: 'A' },
  creator: { name: 'B', extra: 1 },
}
