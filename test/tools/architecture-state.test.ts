import { expect, test } from 'vitest'
import { sources, withoutComments } from '../support/sources.ts'

const ours = new Set(
  sources.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name]) => name),
  ),
)

test('no module keeps state, reads the clock or rolls dice', () => {
  const found = sources.flatMap(({ file, text }) => {
    const code = withoutComments(text)
    const stateful = /^(let|var) /m.test(code) || /Math\.random|new Date\(\)|randomUUID/.test(code)
    const ticking = /Date\.now/.test(code)
    return stateful || ticking || writesToModule(code) ? [file] : []
  })

  // The clock is where the real time comes from; an id of a request has to differ between servers, and that of a
  // tab from those of all others. A process has one network to intercept.
  expect(found).toEqual([
    'adapters/express/run-msw-handlers.ts',
    'integrations/browser/share-world.ts',
    'integrations/testing/interception.ts',
    'world/clock/clock.ts',
  ])
})

test('one file waits on timers, which fake ones do not reach', () => {
  const waiting = sources.filter(({ text }) =>
    /\bset(Timeout|Interval)\b/.test(withoutComments(text)),
  )

  expect(waiting.map(({ file }) => file)).toEqual(['utils/wait.ts'])
})

/** Whether something at the top of a module, or of a class, can be written to, or is. */
function writesToModule(code: string): boolean {
  const isOpen = /^(export )?const \w+\b(?!: Readonly)[^=]*= new (Weak)?(Map|Set)\b/m.test(code)
  const isStatic = /^ +static (readonly )?#?\w+(: .*)?( =|;)/m.test(code)
  const names = [...code.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name as string)
  return isOpen || isStatic || holdsObject(code) || names.some((name) => writesTo(name).test(code))
}

/** Whether a module makes an object of a class of ours at its top: what it holds would be shared by all. */
function holdsObject(code: string): boolean {
  const made = [...code.matchAll(/^(?:export )?const \w+[^=]*= new (\w+)\(/gm)]
  return made.some(([, name = '']) => ours.has(name))
}

function writesTo(name: string): RegExp {
  const inside = String.raw`(?<![\w.#])${name}(\.\w+|\[[^\]]*\])`
  const methods = 'push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear'
  return new RegExp(
    [
      String.raw`(?<![\w.#])${name}(\.\w+|\[[^\]]*\])*\.(${methods})\(`,
      String.raw`${inside}+(\+\+|--| [-+*/|&?]*= )`,
      String.raw`\b(Object\.(assign|definePropert(y|ies))|Reflect\.set)\(${name}\b`,
      String.raw`\bdelete ${inside}`,
    ].join('|'),
  )
}
