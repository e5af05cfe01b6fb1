import Tokenizer from 'ai-tokenizer'
import * as claude from 'ai-tokenizer/encoding/claude'
import * as o200k from 'ai-tokenizer/encoding/o200k_base'

/** The tokenizers of Claude and of current GPT models. */
const tokenizers = [claude, o200k].map((encoding) => new Tokenizer(encoding))

/** The tokens of a text, as the tokenizer counts that finds more. */
export const countTokens = (text: string): number =>
  Math.max(...tokenizers.map((tokenizer) => tokenizer.count(text)))
