import { useLayoutEffect, useRef } from 'preact/hooks'
import { useDashboard } from '../kit/place.ts'
import { EmptyState } from '../kit/states.tsx'
import { useStore } from '../kit/store.ts'
import { pages } from './pages.ts'
import type { DashboardRoute } from './route.ts'
import { ThemeSelect } from './theme-switch.tsx'
import { SandboxSelect } from './world-switch.tsx'

/** What stands around every page. */
export function Layout({ route }: { route: DashboardRoute }) {
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
        <PageLinks current={name} />
        <div class="tools">
          <ConnectionStatus />
          <SandboxSelect />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <h1 ref={heading} tabIndex={-1} class="unseen">
          {title}
        </h1>
        {page ? <page.View path={rest} /> : <EmptyState title="There is no such page." />}
      </main>
    </>
  )
}

function PageLinks({ current }: { current: string }) {
  const { link } = useDashboard()
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

const connectionLabels = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
} as const

function ConnectionStatus() {
  const { journal } = useDashboard()
  const { state } = useStore(journal)
  return (
    <span class={`liveness ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}
