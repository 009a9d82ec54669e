package annotations

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

func newSandbox(t *testing.T) (url, key string) {
	sandboxes := os.Getenv("UNDERSTUDY_URL") + "/__admin/sandboxes"
	body, _ := json.Marshal(map[string]string{"name": t.Name()})
	response, err := http.Post(sandboxes, "application/json", bytes.NewReader(body))
	if err != nil || response.StatusCode != 200 {
		t.Fatal(response, err)
	}
	var created struct{ ID, URL, Key string }
	json.NewDecoder(response.Body).Decode(&created)
	end, _ := http.NewRequest("DELETE", sandboxes+"/"+created.ID, nil)
	t.Cleanup(func() { http.DefaultClient.Do(end) })
	return created.URL, created.Key
}
