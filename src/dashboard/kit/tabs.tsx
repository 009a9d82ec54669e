import { useDashboard } from './place.ts'

interface TabsProps {
  readonly label: string
  /** The page they are of, and its parts: word in the address, and title. */
  readonly page: string
  readonly tabs: readonly (readonly [name: string, title: string])[]
  readonly current: string
}

/** The parts of a page, each with an address of its own. */
export function Tabs({ label, page, tabs, current }: TabsProps) {
  const { link } = useDashboard()
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, title]) => (
        <a key={name} href={link(page, name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
