import { useState } from 'preact/hooks'
import { chooseTheme, readTheme, type Theme, themes } from './theme.ts'

const titles: Readonly<Record<Theme, string>> = {
  system: 'Auto',
  light: 'Light',
  dark: 'Dark',
}

/** Light, dark, or as the system is. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const choose = (chosen: Theme) => {
    chooseTheme(chosen, document.documentElement, localStorage)
    setTheme(chosen)
    dispatchEvent(new Event('themechange'))
  }
  return (
    <label>
      <span class="unseen">Theme</span>
      <select value={theme} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {titles[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
