import { Kbd, Switch } from '@mantine/core'
import { type CharacterKey, useCharacterKeysSwitch, writeKey } from './use-keys.ts'

/** Turns off all shortcuts of one character, in this browser. */
export function CharacterKeysSwitch({ isBrief = false }: { isBrief?: boolean }) {
  const [isOn, setIsOn] = useCharacterKeysSwitch()
  return (
    <Switch
      label="Single-key shortcuts"
      {...(isBrief
        ? { size: 'xs' }
        : {
            description:
              'Such as / and C. Off, keys with Ctrl, Alt or Cmd and those such as Delete still act.',
          })}
      checked={isOn}
      onChange={({ currentTarget }) => setIsOn(currentTarget.checked)}
    />
  )
}

/** The key of a menu item; nothing while shortcuts of one character are off. */
export function KeyHint({ name }: { name: CharacterKey }) {
  const [isOn] = useCharacterKeysSwitch()
  return isOn && <Kbd size="xs">{writeKey(name)}</Kbd>
}

/** Returns the label of a button with its key, or without it while shortcuts of one character are off. */
export function useLabelWithKey(label: string, name: CharacterKey): string {
  const [isOn] = useCharacterKeysSwitch()
  return isOn ? `${label} (${writeKey(name)})` : label
}
