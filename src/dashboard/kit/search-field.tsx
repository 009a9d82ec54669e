interface SearchFieldProps {
  /** What screen readers call it; "Search" where missing */
  readonly label?: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Where words are typed that a list shall have. */
export function SearchField({ label = 'Search', placeholder, value, onChange }: SearchFieldProps) {
  return (
    <label class="grow">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}
