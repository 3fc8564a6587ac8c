// Generated from crates/contract by `cargo xtask generate`. Do not edit.

import type { CollectionThresholds, Language, Settings } from "./types";

/** The settings where nothing is given. */
export const DEFAULT_SETTINGS: Settings = {
  "general": {
    "language": "en",
    "privacy": false,
    "outside_knowledge": false
  },
  "models": {
    "server": "ollama",
    "ollama_url": "http://localhost:11434",
    "openai_url": "http://localhost:8080/v1",
    "answer": null,
    "planner": null,
    "judge": null,
    "embedder": null,
    "reranker": null,
    "reader": null,
    "temperature": 0.1,
    "seed": 42,
    "timeout_seconds": 30,
    "prompt_tokens_per_second": 20.0,
    "allow": {
      "deepseek-r1:32b": {
        "context_window": 65536,
        "max_response": 4096
      },
      "llama3.2": {
        "context_window": 8192,
        "max_response": 1024
      },
      "qwen3:8b": {
        "context_window": 32768,
        "max_response": 2048
      }
    }
  },
  "managed": {
    "enabled": false,
    "program": null,
    "address": null,
    "sha256": null,
    "file": null,
    "memory_mb": 4096,
    "context": 8192,
    "port": 11500
  },
  "budget": {
    "max_context_tokens": 3000,
    "max_history_tokens": 1000,
    "max_response_tokens": 1024,
    "system_prompt_tokens": 500
  },
  "retrieval": {
    "min_similarity": 0.3,
    "rerank_floor": 0.18,
    "max_chunks_per_doc": 3,
    "total_chunks": 5,
    "over_fetch": 3,
    "overlap_threshold": 0.9,
    "rerank_pool": 60,
    "rerank_keep": 16,
    "kind_boost_rerank": 0.15,
    "kind_boost_fused": 1.15,
    "lexical_weight": 0.8,
    "lane_deadline_ms": 2000,
    "rerank_deadline_ms": 20000,
    "confidence_threshold": 60,
    "abstain_at": 40,
    "fallback_penalty": 0.8
  },
  "grounding": {
    "min_content_share": 0.6
  },
  "curated": {
    "pinned_accept": 0.85,
    "pinned_border": 0.7,
    "judge_accept": 0.5,
    "note_accept": 0.6,
    "note_spares": 0.7,
    "note_references": 3,
    "reference_score": 0.75
  },
  "vocabulary": {
    "timeout_ms": 300,
    "cache_ttl_seconds": 600,
    "cache_max_size": 5000,
    "skosmos_url": null,
    "skosmos_vocabularies": null
  },
  "team": {
    "follow_seconds": 900
  },
  "breaker": {
    "failure_threshold": 5,
    "success_threshold": 2,
    "timeout_seconds": 30
  },
  "limits": {
    "question_chars": 8000,
    "stale_after_months": 6
  }
};

/** The languages of the program. */
export const LANGUAGES: { value: Language; text: string }[] = [
  {
    "value": "en",
    "text": "English"
  },
  {
    "value": "nl",
    "text": "Nederlands"
  }
];

/** The built-in thresholds of decision records with the built-in embedder. */
export const LOCAL_THRESHOLDS: CollectionThresholds = {
  "distance_threshold": 0.7,
  "min_query_coverage": 0.2,
  "bail_below": 0.32,
  "single_hit": 0.45,
  "several_hits": 0.38,
  "mean": 0.35,
  "lexical_witness": 0.8,
  "answerability": 0.6,
  "margin": 0.1
};

/** Every threshold, in the order in which they are shown. */
export const THRESHOLD_FIELDS: (keyof CollectionThresholds)[] = [
  "distance_threshold",
  "min_query_coverage",
  "bail_below",
  "single_hit",
  "several_hits",
  "mean",
  "lexical_witness",
  "answerability",
  "margin"
];
