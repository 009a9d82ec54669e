import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePlace } from '../kit/place.ts'
import { Empty } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { pages } from './pages.ts'
import type { Route } from './route.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { WorldSwitch } from './world-switch.tsx'

/** What stands around every page. */
export function Frame({ route }: { route: Route }) {
  const [name = 'requests', ...rest] = route.path
  const page = pages.find((one) => one.name === name)
  const title = page?.title ?? 'Not found'
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // With the page itself: whoever sees it finds its title and the focus there.
  useLayoutEffect(() => {
    document.title = `${title} – Understudy`
    // Whoever listens to the page is told where it went; not when it has just been opened.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <span class="brand">Understudy</span>
        <Pages current={name} />
        <div class="tools">
          <Liveness />
          <WorldSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main id="content">
        <h1 ref={heading} tabIndex={-1} class="unseen">
          {title}
        </h1>
        {page ? <page.View path={rest} /> : <Empty title="There is no such page." />}
      </main>
    </>
  )
}

function Pages({ current }: { current: string }) {
  const { link } = usePlace()
  return (
    <nav aria-label="Pages">
      {pages.map(({ name, title }) => (
        <a key={name} href={link(name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
      <a href="docs/">Reference</a>
    </nav>
  )
}

const stateTexts = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost' } as const

function Liveness() {
  const { journal } = usePlace()
  const { state } = useStore(journal)
  return (
    <span class={`liveness ${state}`} role="status">
      {stateTexts[state]}
    </span>
  )
}
