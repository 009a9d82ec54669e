import { expect, test } from 'vitest'
import { defineLazily } from '../../../src/utils/lazy-properties.ts'

test('a property is created on first use, once for each object', () => {
  const created: string[] = []
  class Report {
    declare readonly title: { readonly text: string }
    readonly name: string

    constructor(name: string) {
      this.name = name
    }

    static {
      defineLazily(Report.prototype, {
        title: ({ name }) => {
          created.push(name)
          return { text: `Report of ${name}` }
        },
      })
    }
  }
  const [first, second] = [new Report('one'), new Report('two')]

  const titles = [second.title, second.title]

  expect(titles[0]).toBe(titles[1])
  expect([created, titles[0]]).toEqual([['two'], { text: 'Report of two' }])
  expect([Object.keys(first), Object.keys(second)]).toEqual([['name'], ['name', 'title']])
})
