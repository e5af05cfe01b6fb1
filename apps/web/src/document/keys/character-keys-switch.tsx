import { Switch } from '@mantine/core'
import { useCharacterKeysSwitch } from './use-keys.ts'

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
