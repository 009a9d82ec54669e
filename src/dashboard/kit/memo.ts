import { Component, type ComponentChild, h } from 'preact'

/** A component that is drawn anew only where what it is given differs, by a comparison of its own. */
export function memo<Props extends object>(
  Inner: (props: Props) => ComponentChild,
  isSame: (before: Props, after: Props) => boolean,
) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next)
    }

    override render() {
      return h(Inner, this.props)
    }
  }
}
