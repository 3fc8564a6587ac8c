"""Makes a library out of passages that the reader was not taught: each is a document, with questions that it answers, such that come
near, and statements that follow from it or do not. `plumbline eval answerability OUT/questions --library near_misses` measures the
questions, `plumbline eval grounding OUT/statements.jsonl` the statements.

usage: near_misses.py OUT PASSAGES...
"""
import json, os, re, sys

OUT, FILES = sys.argv[1], sys.argv[2:]
DUTCH = re.compile(r'\b(de|het|een|is|wat|hoe|mag|moet|kan|wie|waar|waarom|niet|ik|we|wij|voor|van|bij|als|welke|wanneer|er|mogen|moeten|mijn)\b', re.I)

os.makedirs(f'{OUT}/documents', exist_ok=True); os.makedirs(f'{OUT}/questions', exist_ok=True)
passages = [json.loads(line) for name in FILES for line in open(name, encoding='utf8')]
questions, statements = [], []
for number, r in enumerate(passages, 1):
    name = f'documents/{number:03}-' + re.sub(r'[^a-z0-9]+', '-', r['title'].lower()).strip('-')[:60] + '.md'
    with open(f'{OUT}/{name}', 'w', encoding='utf8') as document:
        document.write(f"# {r['title']}\n\n" + (f"## {r['heading']}\n\n" if r.get('heading') else '') + r['passage'] + '\n')
    lies = r['lies'] + [{'text': text, 'kind': 'light'} for text in r.get('light_lies', [])]
    statements.append({'id': f'ST-{number:04}', 'file': name, 'language': r['language'], 'question': r['answered'][0], 'true': r['true'] + r.get('light', []), 'lies': lies})
    for behaviour, texts in (('answer', r['answered']), ('refuse', r['near'])):
        for text in texts:
            questions.append({'id': f'NM-{len(questions) + 1:04}', 'library': 'near_misses', 'form': 1, 'language': 'nl' if len(DUTCH.findall(text)) > 1 else 'en', 'question': text,
                              'expected': {'behaviour': behaviour, 'documents': [name] if behaviour == 'answer' else [], 'also_fine': [], 'must_contain': [], 'must_not_contain': []}})
with open(f'{OUT}/questions/questions.jsonl', 'w', encoding='utf8') as lines:
    lines.writelines(json.dumps(q, ensure_ascii=False) + '\n' for q in questions)
with open(f'{OUT}/statements.jsonl', 'w', encoding='utf8') as lines:
    lines.writelines(json.dumps(s, ensure_ascii=False) + '\n' for s in statements)
json.dump({'file_types': ['md'], 'libraries': [{'name': 'near_misses', 'folders': ['documents'], 'vocabularies': []}]}, open(f'{OUT}/questions/libraries.json', 'w'))
print(len(questions), 'questions,', sum(q['expected']['behaviour'] == 'answer' for q in questions), 'with an answer')
