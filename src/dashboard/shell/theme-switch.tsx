import { useState } from 'preact/hooks'
import { readTheme, saveTheme, type Theme, themes } from './theme.ts'

const themeLabels: Readonly<Record<Theme, string>> = {
  system: 'Auto',
  light: 'Light',
  dark: 'Dark',
}

/** Light, dark, or as the system is. */
export function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const choose = (chosen: Theme) => {
    saveTheme(chosen, document.documentElement, localStorage)
    setTheme(chosen)
    dispatchEvent(new Event('themechange'))
  }
  return (
    <label>
      <span class="unseen">Theme</span>
      <select value={theme} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeLabels[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
