import { expect, test } from 'vitest'
import { randomPolicies } from '../../support/observe/hidden-server.ts'
import { lies, observeOddServer } from '../../support/observe/odd-server.ts'
import { createRandom } from '../../support/random.ts'

test.each(Object.keys(lies))(
  '%s in place of any one response leads to no wrong value',
  async (name) => {
    const random = createRandom(name.length)
    const found: object[] = []

    for (let at = 1; at <= 150; at += 1) {
      const policies = random.below(2) === 0 ? {} : randomPolicies(random)
      const replace = (number: number) => (number === at ? (lies[name] as () => Response)() : null)
      const { wrong } = await observeOddServer(replace, { policies })
      if (wrong.length > 0) found.push({ at, wrong, form: policies['errors.body'] })
    }

    expect(found).toEqual([])
  },
)
