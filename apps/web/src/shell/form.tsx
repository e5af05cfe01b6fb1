import { Alert, type AlertProps, Button, Group, type ModalProps, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react'
import { errorMessage } from '../api/call.ts'
import { Dialog } from './dialog.tsx'

/** Says why something failed; nothing while `error` is null. */
export function Problem({ error, children, ...props }: AlertProps & { error: unknown }) {
  return (
    error !== null && (
      <Alert color="red" role="alert" {...props}>
        {errorMessage(error)}
        {children}
      </Alert>
    )
  )
}

interface OutcomeProps {
  /** The mutation whose end it tells. */
  of: { error: Error | null; isSuccess: boolean }
  /** What to say of success; nothing if it is left out. */
  done?: string
  /** The distance from what is above. */
  mt?: 'sm' | 'md'
}

/** Says how something ended, in a region that screen readers follow. */
export function Outcome({ of, done, mt }: OutcomeProps) {
  return (
    <div aria-live="polite">
      {of.error && (
        <Alert color="red" mt={mt ?? 0}>
          {errorMessage(of.error)}
        </Alert>
      )}
      {done !== undefined && of.isSuccess && (
        <Alert color="meadow" mt={mt ?? 0} className="long-text">
          {done}
        </Alert>
      )}
    </div>
  )
}

/** The values of a form, whether they are being saved, and why that failed. */
export interface Form<Values, Saved = unknown> {
  values: Values
  set(changes: Partial<Values>): void
  /** The value of a text field, and what changes it. */
  text(name: keyof Values): {
    value: string
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void
  }
  /** The value of a field that reports values in place of events, and what changes it. */
  choice<Name extends keyof Values>(name: Name): { value: Values[Name]; onChange(value: unknown): void }
  isBusy: boolean
  isSuccess: boolean
  error: Error | null
  /** The sentence of the error, for the field that it belongs to. */
  problem: string | undefined
  /** What `save` resolved to. */
  saved: Saved | undefined
  submit(event?: FormEvent): void
  /** Forgets what `save` did. */
  reset(): void
}

/** Saves the values of a form. `changed` has those that differ from the values that it began with. */
type Save<Values, Saved> = (values: Values, changed: Partial<Values>) => Saved | Promise<Saved>

/**
 * Returns a form that begins with the values `initial`. It calls `save` when it is submitted, and then `onSaved`, until
 * whose end it is busy.
 */
export function useForm<Values extends object, Saved>(
  initial: Values,
  save: Save<Values, Saved>,
  onSaved?: (saved: Saved, set: Form<Values>['set']) => unknown,
): Form<Values, Saved> {
  const [first] = useState(initial)
  const [values, setValues] = useState(initial)
  const set = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }))
  const saving = useMutation({
    mutationFn: async () => save(values, pickChanged(values, first)),
    onSuccess: (saved) => onSaved?.(saved, set),
  })
  return {
    values,
    set,
    text: (name) => ({
      value: String(values[name]),
      onChange: ({ currentTarget: { value } }) => set({ [name]: value } as Partial<Values>),
    }),
    choice: (name) => ({
      value: values[name],
      onChange: (value) => set({ [name]: value } as Partial<Values>),
    }),
    isBusy: saving.isPending,
    isSuccess: saving.isSuccess,
    error: saving.error,
    problem: saving.error ? errorMessage(saving.error) : undefined,
    saved: saving.data,
    submit(event) {
      event?.preventDefault()
      saving.mutate()
    },
    reset: saving.reset,
  }
}

const pickChanged = <Values extends object>(values: Values, first: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => first[name as keyof Values] !== value),
  ) as Partial<Values>

interface DialogFormProps<Values extends object, Saved> {
  initial: Values
  save: Save<Values, Saved>
  /** Called after saving; it closes the dialog unless it is given, or `done` is. */
  onSaved?: ((saved: Saved) => unknown) | undefined
  /** Shown in place of the form after saving. */
  done?: (saved: Saved) => ReactNode
  close: () => void
  /** The label of the submit button. */
  action: string
  /** Whether what the button does cannot be undone. It is red then, and the focus starts at Cancel. */
  isDestructive?: boolean
  /** Whether the values cannot be saved yet. */
  isIncomplete?: (values: Values) => boolean
  /** The distance of the fields, if they do not have their own margins. */
  gap?: 'sm' | 'md'
  /** Whether a field shows the problem of saving. */
  hasProblemInField?: boolean
  children: ReactNode | ((form: Form<Values, Saved>) => ReactNode)
}

/** The fields of a dialog, and its buttons. */
export function DialogForm<Values extends object, Saved>({
  initial,
  save,
  close,
  done,
  onSaved = done ? undefined : close,
  action,
  isDestructive = false,
  isIncomplete,
  gap,
  hasProblemInField = false,
  children,
}: DialogFormProps<Values, Saved>) {
  const form = useForm(initial, save, onSaved)
  if (done && form.isSuccess) return done(form.saved as Saved)
  return (
    <Stack component="form" gap={gap ?? 0} onSubmit={form.submit}>
      {typeof children === 'function' ? children(form) : children}
      {!hasProblemInField && <Problem error={form.error} mt={gap ? 0 : 'sm'} />}
      <Group justify="flex-end" mt={gap ? 0 : 'lg'}>
        <Button variant="default" onClick={close} data-autofocus={isDestructive || undefined}>
          Cancel
        </Button>
        <Button
          type="submit"
          {...(isDestructive && { color: 'red' })}
          loading={form.isBusy}
          disabled={isIncomplete?.(form.values) ?? false}
        >
          {action}
        </Button>
      </Group>
    </Stack>
  )
}

interface FormDialogProps<Values extends object, Saved>
  extends DialogFormProps<Values, Saved>,
    Pick<ModalProps, 'title' | 'size' | 'closeOnClickOutside'> {
  isOpen?: boolean
}

/** A dialog with a form, which begins with the values `initial` each time that it is opened. */
export function FormDialog<Values extends object, Saved>({
  isOpen = true,
  title,
  size,
  closeOnClickOutside,
  ...form
}: FormDialogProps<Values, Saved>) {
  return (
    <Dialog
      opened={isOpen}
      onClose={form.close}
      title={title}
      {...(size !== undefined && { size })}
      {...(closeOnClickOutside !== undefined && { closeOnClickOutside })}
    >
      <DialogForm {...form} />
    </Dialog>
  )
}
