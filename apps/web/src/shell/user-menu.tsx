import { ActionIcon, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { Me } from '@meadow/contract/web'
import { signOut } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { call } from '../api/call.ts'
import { IconLogout, IconMoon, IconSun, IconUser, IconUserCircle } from '../icons.ts'
import { forgetUploads } from './upload-queue.ts'

export function UserMenu({ person }: Pick<Me, 'person'>) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const signingOut = useMutation({
    mutationFn: () => call(signOut),
    async onSuccess() {
      // The next user sees none of this one's data.
      queryClient.clear()
      forgetUploads()
      await navigate('/sign-in')
    },
  })
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} radius="xl" aria-label="Your account">
          <IconUserCircle size={26} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? 'Light colours' : 'Dark colours'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signingOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
